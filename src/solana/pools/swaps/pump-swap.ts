import { type Instruction, packed, readonly, writable, writableSigner } from '../../instruction.js'
import { associatedTokenAddress } from '../../pda.js'
import { SYSTEM_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'
import { listedIn, PUMP_FEE_PROGRAM, pumpAddress } from './pump.js'

/**
 * `buy_exact_quote_in_v2` and `sell_v2` of PumpSwap. They refuse pools of cashback coins, and pass
 * no accounts of hooks on. Source: pump-fun/pump-public-docs,
 * `docs/instructions/PUMP_SWAP_TRADE_V2.md`; layouts of `Pool` and `GlobalConfig` from
 * `idl/pump_amm.json`.
 */
export function pumpSwap(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const { program } = pool
  const data = read(pool.address)?.data
  const config = pumpAddress(program, 'global_config')
  const buyback = listedIn(read, config, BUYBACK_RECIPIENTS_AT)
  if (data === undefined || buyback === undefined || data[CASHBACK_AT] === 1) return undefined
  if (from.extra.length + to.extra.length > 0) return undefined
  const buysBase = to.mint === pool.mints[0]
  const [base, quote] = buysBase ? [to, from] : [from, to]
  return {
    program,
    accounts: [
      writable(pool.address),
      writableSigner(trader),
      ...[config, base.mint, quote.mint].map(readonly),
      ...[base.account, quote.account, base.vault, quote.vault].map(writable),
      ...[base.tokenProgram, quote.tokenProgram, SYSTEM_PROGRAM].map(readonly),
      writable(pumpAddress(program, 'user_volume_accumulator', trader)),
      readonly(pumpAddress(PUMP_FEE_PROGRAM, 'fee_config', program)),
      writable(associatedTokenAddress(buyback, quote.mint, quote.tokenProgram)),
      readonly(pumpAddress(program, '__event_authority')),
      readonly(program),
    ],
    data: packed(buysBase ? BUY : SELL, [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const BUY = anchorInstruction('buy_exact_quote_in_v2')
const SELL = anchorInstruction('sell_v2')
const CASHBACK_AT = 244
/** Of `GlobalConfig`: the first of those who get the part of the fee for buying back. */
const BUYBACK_RECIPIENTS_AT = 643
