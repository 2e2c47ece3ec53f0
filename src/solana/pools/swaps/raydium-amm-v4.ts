import { addressAt } from '../../address.js'
import { type Instruction, packed, readonly, signer, writable } from '../../instruction.js'
import { programAddress } from '../../pda.js'
import { TOKEN_PROGRAM } from '../../programs.js'
import type { ReadAccount } from '../../token/hook-accounts.js'
import type { SwapRequest } from '../swap-request.js'
import { MINIMUM_OUT } from './anchor.js'

/**
 * `SwapBaseInV2` of raydium-amm (`instruction.rs`), which leaves the order book out. Legacy tokens
 * only.
 */
export function raydiumAmmV4(_read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  if (!areLegacy(request)) return undefined
  return {
    program: pool.program,
    accounts: [
      readonly(TOKEN_PROGRAM),
      writable(pool.address),
      readonly(pool.vaultOwner),
      writable(pool.vaults[0]),
      writable(pool.vaults[1]),
      writable(from.account),
      writable(to.account),
      signer(trader),
    ],
    data: packed([8, SWAP_BASE_IN_V2], [64, amountIn], [64, MINIMUM_OUT]),
  }
}

/**
 * `SwapBaseIn` of the same, which names the order book as well: what programs know that were
 * deployed before the other was added.
 */
export function raydiumAmmV4WithBook(read: ReadAccount, request: SwapRequest): Instruction | undefined {
  const { pool, trader, amountIn, from, to } = request
  const data = read(pool.address)?.data
  if (data === undefined || !areLegacy(request)) return undefined
  const [orders, market, book, targets] = [496, 528, 560, 592].map((at) => addressAt(data, at))
  const listing = market && read(market)?.data
  if (!orders || !market || !book || !targets || !listing || listing.length < MARKET_BYTES) return undefined
  const owner = programAddress(book, [data.slice(528, 560), listing.slice(NONCE_AT, NONCE_AT + 8)])
  if (owner === undefined) return undefined
  const inMarket = (at: number) => addressAt(listing, at)
  return {
    program: pool.program,
    accounts: [
      readonly(TOKEN_PROGRAM),
      writable(pool.address),
      readonly(pool.vaultOwner),
      ...[orders, targets, pool.vaults[0], pool.vaults[1]].map(writable),
      readonly(book),
      writable(market),
      ...[BIDS_AT, ASKS_AT, EVENTS_AT, BASE_VAULT_AT, QUOTE_VAULT_AT].map(inMarket).map(writable),
      readonly(owner),
      writable(from.account),
      writable(to.account),
      signer(trader),
    ],
    data: packed([8, SWAP_BASE_IN], [64, amountIn], [64, MINIMUM_OUT]),
  }
}

const areLegacy = ({ from, to }: SwapRequest) =>
  from.tokenProgram === TOKEN_PROGRAM && to.tokenProgram === TOKEN_PROGRAM

const SWAP_BASE_IN = 9
const SWAP_BASE_IN_V2 = 16
/** Of an order book (serum-dex `state.rs`, `MarketState`, behind five bytes of padding). */
const MARKET_BYTES = 388
const NONCE_AT = 45
const BASE_VAULT_AT = 117
const QUOTE_VAULT_AT = 165
const EVENTS_AT = 253
const BIDS_AT = 285
const ASKS_AT = 317
