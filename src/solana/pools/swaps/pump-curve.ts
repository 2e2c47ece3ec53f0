import { type Instruction, packed, readonly, writable, writableSigner } from '../../instruction.js'
import { associatedTokenAddress } from '../../pda.js'
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import { PUMP_CURVE } from '../layouts.js'
import type { SwapRequest } from '../swap-request.js'
import { anchorInstruction, MINIMUM_OUT } from './anchor.js'
import { listedIn, PUMP_FEE_PROGRAM, pumpAddress } from './pump.js'

/**
 * `buy_exact_quote_in_v2` and `sell_v2` of the launch curve, which take every kind of coin. It
 * passes no accounts of hooks on. Source: pump-fun/pump-public-docs, `docs/instructions/BUY.md` and
 * `SELL.md`; the flags and the layout of `Global` from `idl/pump.json`.
 */
export function pumpCurve(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const { program, address: curve } = pool
  const data = read(curve)?.data
  const global = pumpAddress(program, 'global')
  const recipient = listedIn(read, global, data && PUMP_CURVE.isMayhem(data) ? RESERVED_RECIPIENT_AT : RECIPIENT_AT)
  const buyback = listedIn(read, global, BUYBACK_RECIPIENTS_AT)
  const creator = data && PUMP_CURVE.creator(data)
  if (creator === undefined || recipient === undefined || buyback === undefined) return undefined
  if (from.extra.length + to.extra.length > 0) return undefined
  const buys = to.mint === pool.mints[0]
  const [coin, quote] = buys ? [to, from] : [from, to]
  const inQuote = (owner: typeof trader) => associatedTokenAddress(owner, quote.mint, quote.tokenProgram)
  const vault = pumpAddress(program, 'creator-vault', creator)
  const volume = pumpAddress(program, 'user_volume_accumulator', trader)
  return {
    program,
    accounts: [
      readonly(global),
      readonly(coin.mint),
      readonly(quote.mint),
      readonly(coin.tokenProgram),
      readonly(quote.tokenProgram),
      readonly(ATA_PROGRAM),
      ...[recipient, inQuote(recipient), buyback, inQuote(buyback)].map(writable),
      ...[curve, coin.vault, inQuote(curve)].map(writable),
      writableSigner(trader),
      ...[coin.account, quote.account, vault, inQuote(vault)].map(writable),
      readonly(pumpAddress(PUMP_FEE_PROGRAM, 'sharing-config', coin.mint)),
      ...(buys ? [readonly(pumpAddress(program, 'global_volume_accumulator'))] : []),
      ...[volume, inQuote(volume)].map(writable),
      readonly(pumpAddress(PUMP_FEE_PROGRAM, 'fee_config', program)),
      ...[PUMP_FEE_PROGRAM, SYSTEM_PROGRAM, pumpAddress(program, '__event_authority'), program].map(readonly),
    ],
    data: packed(buys ? BUY : SELL, [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const BUY = anchorInstruction('buy_exact_quote_in_v2')
const SELL = anchorInstruction('sell_v2')
/**
 * Of `Global`: who gets the fee, who gets it of coins in mayhem mode, and the first of those who
 * get the part for buying back.
 */
const RECIPIENT_AT = 41
const RESERVED_RECIPIENT_AT = 483
const BUYBACK_RECIPIENTS_AT = 741
