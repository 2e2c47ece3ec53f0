import { callData, readWords } from '../../dex/read-contract.js'
import type { Log } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { Acted } from './act-as-account.js'
import type { Transfer } from './wallet-report.js'

/** Tokens and NFTs whose holders are compared; a claim of many airdrops names as many. */
const MAX_TOKENS = 32
const MAX_NFTS = 32

/** `balanceOf(address)`, `ownerOf(uint256)`, `balanceOf(address,uint256)` */
const BALANCE_OF = '0x70a08231'
const OWNER_OF = '0x6352211e'
const BALANCE_OF_MULTI = '0x00fdd58e'
/** EIP-721's Transfer with four topics, EIP-1155's TransferSingle and TransferBatch. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** An asset whose amount in the account's hands a question can tell. */
interface Countable {
  token: Address
  id: bigint | undefined
  isMulti: boolean
  counterparty(isOut: boolean): Address | undefined
}

/** What may have changed hands, and how much of each the account has now. */
export interface Counted {
  assets: readonly Countable[]
  amounts: readonly bigint[]
  /** More was moved than is compared. */
  isCut: boolean
}

/** A change of what the account has. */
export interface Change {
  isOut: boolean
  transfer: Transfer
  /** Nearly all that the account had of it. */
  isNearlyAll: boolean
}

/** Counts what the acts may have moved, with the account's hands as they are after them. */
export function countAfter(fork: Fork, account: Address, acts: readonly Acted[]): Counted {
  const nfts = nftsIn(
    acts.flatMap(({ logs }) => logs),
    account,
  )
  const collections = new Set(nfts.map(({ token }) => token))
  const written = acts.flatMap(({ writes, tokens }) => [...tokens.keys(), ...writes.keys()])
  const addresses = [...new Set(written)].filter((token) => !collections.has(token) && token !== account)
  const tokens = addresses.slice(0, MAX_TOKENS).map((token): Countable => {
    return { token, id: undefined, isMulti: false, counterparty: (isOut) => largest(acts, token, isOut) }
  })
  const assets = [...tokens, ...nfts.slice(0, MAX_NFTS)]
  const isCut = addresses.length > MAX_TOKENS || nfts.length > MAX_NFTS
  return { assets, amounts: assets.map((asset) => amountOf(fork, account, asset)), isCut }
}

/** Compares with how it was before: the fork has been taken back since. */
export function changesSince(fork: Fork, account: Address, { assets, amounts }: Counted): Change[] {
  return assets.flatMap((asset, i): Change[] => {
    const before = amountOf(fork, account, asset)
    const after = amounts[i] ?? 0n
    if (after === before) return []
    const { token, id } = asset
    const isOut = after < before
    const amount = isOut ? before - after : after - before
    const transfer = { token, amount, id, counterparty: asset.counterparty(isOut) }
    return [{ isOut, transfer, isNearlyAll: isOut && after * NEARLY_ALL <= before }]
  })
}

/** Nine tenths are gone. */
const NEARLY_ALL = 10n

function amountOf(fork: Fork, account: Address, { token, id, isMulti }: Countable): bigint {
  const ask = (data: ReturnType<typeof callData>) => readWords(fork, token, data)?.[0] ?? 0n
  if (id === undefined) return ask(callData(BALANCE_OF, [account]))
  if (isMulti) return ask(callData(BALANCE_OF_MULTI, [account, id]))
  return ask(callData(OWNER_OF, [id])) === BigInt(account) ? 1n : 0n
}

/** Its events only say who else took part. */
function largest(acts: readonly Acted[], token: Address, isReceiver: boolean): Address | undefined {
  const changes = new Map<Address, bigint>()
  for (const { tokens } of acts)
    for (const [holder, change] of tokens.get(token) ?? []) changes.set(holder, (changes.get(holder) ?? 0n) + change)
  return largestOf(changes, isReceiver)
}

export function largestOf(changes: ReadonlyMap<Address, bigint>, isReceiver: boolean): Address | undefined {
  const sign = isReceiver ? 1n : -1n
  return [...changes]
    .filter(([, change]) => change * sign > 0n)
    .toSorted(([, a], [, b]) => (a * sign < b * sign ? 1 : -1))[0]?.[0]
}

const addressIn = (topic: string | undefined): Address => `0x${(topic ?? '').slice(-40)}`

function nftsIn(logs: readonly Log[], account: Address): Countable[] {
  const found = new Map<string, Countable>()
  for (const log of logs) {
    for (const { id, from, to, isMulti } of movesIn(log)) {
      if (from !== account && to !== account) continue
      const counterparty = (isOut: boolean) => (isOut ? to : from)
      found.set(`${log.address} ${id}`, { token: log.address, id, isMulti, counterparty })
    }
  }
  return [...found.values()]
}

interface Move {
  id: bigint
  from: Address
  to: Address
  isMulti: boolean
}

function movesIn({ topics, data }: Log): Move[] {
  const [topic, first, second, third] = topics
  if (topic === TRANSFER && third !== undefined) {
    return [{ id: BigInt(third), from: addressIn(first), to: addressIn(second), isMulti: false }]
  }
  if (topic !== TRANSFER_SINGLE && topic !== TRANSFER_BATCH) return []
  const ids = topic === TRANSFER_SINGLE ? [wordAt(data, 0)] : listAt(data, wordAt(data, 0))
  return ids.map((id) => ({ id, from: addressIn(second), to: addressIn(third), isMulti: true }))
}

const wordAt = (data: string, i: number) => BigInt(`0x${data.slice(2 + i * 64, 66 + i * 64) || '0'}`)

/**
 * Words of a list in event data; the event is the token's own, so that any length may stand there.
 */
function listAt(data: string, offset: bigint): bigint[] {
  if (offset % 32n !== 0n || offset > BigInt(data.length)) return []
  const start = Number(offset / 32n)
  const length = wordAt(data, start)
  const count = length > BigInt(MAX_NFTS) ? MAX_NFTS + 1 : Number(length)
  return Array.from({ length: count }, (_, i) => wordAt(data, start + 1 + i))
}
