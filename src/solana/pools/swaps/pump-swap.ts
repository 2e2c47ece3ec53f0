import { addressAt } from '../../address.js'
import { type AccountMeta, type Instruction, packed, readonly, writable, writableSigner } from '../../instruction.js'
import { associatedTokenAddress } from '../../pda.js'
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapLeg, SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'
import { listedIn, PUMP_FEE_PROGRAM, pumpAddress } from './pump.js'

/**
 * A trade on PumpSwap, by the instructions that its configuration belongs to: one that is long
 * enough to list those who get the part for buying back is spoken to in the second form. They
 * refuse pools of cashback coins, and pass no accounts of hooks on. Source:
 * pump-fun/pump-public-docs, `docs/instructions/PUMP_SWAP_TRADE_V2.md`; layouts of `Pool` and
 * `GlobalConfig` from `idl/pump_amm.json`.
 */
export function pumpSwap(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, from, to } = request
  const data = read(pool.address)?.data
  const config = pumpAddress(pool.program, 'global_config')
  if (data === undefined || data[CASHBACK_AT] === 1 || from.extra.length + to.extra.length > 0) return undefined
  const buysBase = to.mint === pool.mints[0]
  const [base, quote] = buysBase ? [to, from] : [from, to]
  const trade = { ...request, config, buysBase, base, quote }
  const buyback = listedIn(read, config, BUYBACK_RECIPIENTS_AT)
  if (buyback !== undefined) return secondForm(trade, buyback)
  const recipient = listedIn(read, config, data[MAYHEM_AT] === 1 ? RESERVED_RECIPIENT_AT : RECIPIENTS_AT)
  if (recipient === undefined || data.length < CREATOR_AT + 32) return undefined
  return firstForm(trade, recipient, addressAt(data, CREATOR_AT))
}

interface Trade extends SwapRequest {
  config: AccountMeta['address']
  buysBase: boolean
  base: SwapLeg
  quote: SwapLeg
}

const accountsOfBoth = ({ pool, trader, config, base, quote }: Trade): AccountMeta[] => [
  writable(pool.address),
  writableSigner(trader),
  ...[config, base.mint, quote.mint].map(readonly),
  ...[base.account, quote.account, base.vault, quote.vault].map(writable),
]

/** `buy_exact_quote_in_v2` and `sell_v2`. */
function secondForm(trade: Trade, buyback: AccountMeta['address']): Instruction {
  const { pool, trader, amountIn, buysBase, base, quote } = trade
  const { program } = pool
  return {
    program,
    accounts: [
      ...accountsOfBoth(trade),
      ...[base.tokenProgram, quote.tokenProgram, SYSTEM_PROGRAM].map(readonly),
      writable(pumpAddress(program, 'user_volume_accumulator', trader)),
      readonly(pumpAddress(PUMP_FEE_PROGRAM, 'fee_config', program)),
      writable(associatedTokenAddress(buyback, quote.mint, quote.tokenProgram)),
      readonly(pumpAddress(program, '__event_authority')),
      readonly(program),
    ],
    data: packed(buysBase ? BUY_V2 : SELL_V2, [64, amountIn], [64, MINIMUM_OUT]),
  }
}

/**
 * `buy_exact_quote_in` and `sell`: the first as a trade of 2026-02-17 has it, the second with the
 * same accounts but for the counters of volume.
 */
function firstForm(trade: Trade, recipient: AccountMeta['address'], creator: AccountMeta['address']): Instruction {
  const { pool, trader, amountIn, buysBase, base, quote } = trade
  const { program } = pool
  const inQuote = (owner: AccountMeta['address']) => associatedTokenAddress(owner, quote.mint, quote.tokenProgram)
  const creatorVault = pumpAddress(program, 'creator_vault', creator)
  const volumes = [
    readonly(pumpAddress(program, 'global_volume_accumulator')),
    writable(pumpAddress(program, 'user_volume_accumulator', trader)),
  ]
  return {
    program,
    accounts: [
      ...accountsOfBoth(trade),
      readonly(recipient),
      writable(inQuote(recipient)),
      ...[base.tokenProgram, quote.tokenProgram, SYSTEM_PROGRAM, ATA_PROGRAM].map(readonly),
      readonly(pumpAddress(program, '__event_authority')),
      readonly(program),
      writable(inQuote(creatorVault)),
      readonly(creatorVault),
      ...(buysBase ? volumes : []),
      readonly(pumpAddress(PUMP_FEE_PROGRAM, 'fee_config', program)),
      readonly(PUMP_FEE_PROGRAM),
    ],
    data: packed(buysBase ? BUY : SELL, [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const BUY_V2 = anchorInstruction('buy_exact_quote_in_v2')
const SELL_V2 = anchorInstruction('sell_v2')
const BUY = anchorInstruction('buy_exact_quote_in')
const SELL = anchorInstruction('sell')
const CREATOR_AT = 211
const MAYHEM_AT = 243
const CASHBACK_AT = 244
/**
 * Of `GlobalConfig`: the first of those who get the fee, who gets it of coins in mayhem mode, and
 * the first of those who get the part for buying back.
 */
const RECIPIENTS_AT = 57
const RESERVED_RECIPIENT_AT = 385
const BUYBACK_RECIPIENTS_AT = 643
