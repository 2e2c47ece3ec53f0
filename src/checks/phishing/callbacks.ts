import { type Address, type Hex, toPaddedHex, wordToAddress } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { afterwardsOf, gains } from './judge-loss.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { findingOf, holdsMore } from './try-call.js'

/** How a token tells a contract that it has received something. */
interface Callback {
  selector: Hex
  kind: Holding['kind']
  /** Words of the call: operator, sender, number or amount. */
  words(from: bigint, to: bigint, what: { id: bigint; amount: bigint }): readonly bigint[]
}

/** Offset and length of empty bytes behind so many words. */
const noBytes = (words: number) => [BigInt(32 * (words + 1)), 0n]

const CALLBACKS: readonly Callback[] = [
  // EIP-721: onERC721Received(address,address,uint256,bytes)
  { selector: '0x150b7a02', kind: 'nft', words: (from, _, { id }) => [from, from, id, ...noBytes(3)] },
  // EIP-1155: onERC1155Received(address,address,uint256,uint256,bytes)
  {
    selector: '0xf23a6e61',
    kind: 'multi',
    words: (from, _, { id, amount }) => [from, from, id, amount, ...noBytes(4)],
  },
  // EIP-1363: onTransferReceived(address,address,uint256,bytes)
  { selector: '0x88a7ca5c', kind: 'erc20', words: (from, _, { amount }) => [from, from, amount, ...noBytes(3)] },
  // EIP-677: onTokenTransfer(address,uint256,bytes)
  { selector: '0xa4c0ed36', kind: 'erc20', words: (from, _, { amount }) => [from, amount, ...noBytes(2)] },
  // EIP-777: tokensReceived(address,address,address,uint256,bytes,bytes)
  {
    selector: '0x0023de29',
    kind: 'erc20',
    words: (from, to, { amount }) => [from, from, to, amount, 192n, 224n, 0n, 0n],
  },
]

/**
 * Sends the target something that tells it so, as the victim would, and looks whether it stays
 * there. Only for callbacks that the code has.
 */
export function probeCallbacks(stage: Stage): void {
  const { victim, target, fork } = stage
  for (const callback of CALLBACKS) {
    const entry = stage.entries.find(({ selector }) => selector === callback.selector)
    const holding = victim.holdings.findLast(({ kind }) => kind === callback.kind)
    if (entry === undefined || holding === undefined) continue
    branch(fork, () => {
      const amount = hand(stage, holding)
      const attempt = { from: holding.token, to: target, data: dataFor(stage, callback, amount) }
      const outcome = stage.play(attempt)
      const to = passedTo(stage, holding, outcome)
      // Another contract that keeps it is one that the target works with.
      if (to === undefined || to === victim.address || fork.evm.code(to).length > 0) return
      const hasMore = (token: Address) => token !== holding.token && holdsMore(stage, attempt, token)
      const after = afterwardsOf(stage, attempt, hasMore)
      if (gains(stage, victim.address, outcome, after)) return
      const loss = { holding, amount, to, isChosenAmount: true }
      const base = findingOf(stage, entry, { caller: victim.address, by: 'victim', outcome, loss })
      const id = callback.kind === 'erc20' ? 'approve-first-claim' : 'nft-puller'
      const own = { id: 'open-delegation', check: undefined, by: 'anyone', caller: undefined } as const
      stage.findings.push(stage.isOwn ? { ...base, ...own } : { ...base, id, check: 'allowance' })
    })
  }
}

const asData = (selector: Hex, words: readonly bigint[]): Hex =>
  `${selector}${words.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`

function dataFor({ victim, target }: Stage, { selector, words }: Callback, amount: bigint): Hex {
  return asData(selector, words(BigInt(victim.address), BigInt(target), { id: victim.nftId, amount }))
}

const TRANSFER_GAS = 200_000n
/**
 * `transfer(address,uint256)`, `safeTransferFrom(address,address,uint256)`, and
 * `safeTransferFrom(address,address,uint256,uint256,bytes)`
 */
const TRANSFERS = { erc20: '0xa9059cbb', nft: '0x42842e0e', multi: '0xf242432a' } as const

/** The victim sends the target some of it, or has it already. How much, in base units. */
function hand({ fork, victim, target, isOwn }: Stage, { kind, token }: Holding): bigint {
  const [from, to, id] = [BigInt(victim.address), BigInt(target), victim.nftId]
  const amount = kind === 'erc20' ? HANDED : 1n
  if (isOwn) return amount
  const words = { erc20: [to, amount], nft: [from, to, id], multi: [from, to, id, amount, 160n, 0n] }[kind]
  sendAs(fork, { from: victim.address, to: token, data: asData(TRANSFERS[kind], words), gasLimit: TRANSFER_GAS })
  return amount
}

/** Base units of a token with 18 decimals. */
const HANDED = 1_234_000_000_000_000_000_321n

/** Who has what the target was sent, where that is not the target. */
function passedTo(
  { target }: Stage,
  holding: Holding,
  { storage, tokens, logs, success }: Outcome,
): Address | undefined {
  if (!success) return undefined
  const { kind, token, account, slot } = holding
  if (kind === 'nft') {
    const change = storage.writes.get(account)?.get(slot)
    return change && wordToAddress(change.after)
  }
  if (kind === 'erc20') {
    const changes = [...(tokens.get(token) ?? [])]
    const isSent = changes.some(([who, change]) => who === target && change < 0n)
    return isSent ? changes.find(([, change]) => change > 0n)?.[0] : undefined
  }
  const sent = logs.find(({ address, topics }) => address === token && topics[2]?.endsWith(target.slice(2)) === true)
  return sent?.topics[3] === undefined ? undefined : `0x${sent.topics[3].slice(-40)}`
}
