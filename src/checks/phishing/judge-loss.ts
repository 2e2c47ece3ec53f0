import { callData, readAddress, readWords } from '../../dex/read-contract.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import { sendAs } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { PERMIT2 } from './assets.js'
import { type Again, booksOf, ofTwin, PAYMENT_GAS } from './books.js'
import type { Loss } from './losses.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** Whether `who` has something for it at the end: coins, or more of a token that says so itself. */
export function gains(stage: Stage, who: Address, outcome: Outcome, after: Afterwards): boolean {
  if ((outcome.native.get(who) ?? 0n) > 0n) return true
  const claimed = [...outcome.tokens].filter(([, holders]) => (holders.get(who) ?? 0n) > 0n).map(([token]) => token)
  if (claimed.some((token) => after.hasMore(token))) return true
  const given = who === stage.target ? [] : nftsFor(outcome, who)
  return given.some(({ token, id }) => after.owner(token, id) === BigInt(who))
}

/** NFTs that events say the account got. */
export const nftsFor = ({ logs }: Outcome, who: Address): { token: Address; id: bigint }[] =>
  logs.flatMap(({ address, topics }) => {
    const [, , , id] = topics
    return isNftFor(topics, who) && id !== undefined && address !== PERMIT2 ? [{ token: address, id: BigInt(id) }] : []
  })

/** What a call left, asked before it was undone. */
export interface Afterwards {
  hasMore(token: Address): boolean
  /** Of an NFT, by its own word; of what a victim bought, once another has bought the same. */
  owner(token: Address, id: bigint): bigint | undefined
}

/** `ownerOf(uint256)` (EIP-721) */
const OWNER_OF = '0x6352211e'

/** What is asked after a call, where `hasMore` tells of tokens. */
export function afterwardsOf(stage: Stage, attempt: Attempt, hasMore: Afterwards['hasMore']): Afterwards {
  return {
    hasMore,
    owner(token, id) {
      const read = () => readWords(stage.fork, token, callData(OWNER_OF, [id]))?.[0]
      let owner: bigint | undefined
      stage.play(attempt, () => {
        if (attempt.from === stage.victim.address)
          sendAs(stage.fork, { ...ofTwin(stage, attempt), gasLimit: PAYMENT_GAS })
        owner = read()
      })
      return owner
    },
  }
}

/** `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** EIP-721's event has the number as a fourth topic. */
function isNftFor(topics: readonly string[], who: Address): boolean {
  return topics.length === 4 && topics[0] === TRANSFER && topics[2]?.slice(-40) === who.slice(2)
}

/** Whether a contract keeps book of what it took from the victim. */
export const isCredited = (stage: Stage, outcome: Outcome, again: Again): boolean =>
  booksOf(stage, outcome, again).length > 0

/**
 * Whether what was taken stays where it can be given back: with the target itself, or a contract it
 * works with. What a pool is sent belongs to those who have shares in it.
 */
export function staysInCustody({ target, fork, thief, marks }: Stage, { to }: Loss): boolean {
  if (to === target) return true
  return to !== thief && !marks.isMark(to) && fork.evm.code(to).length > 0 && !isPool(fork, to)
}

/** `token0()` and `token1()`, as pools of two tokens say them. */
const TOKENS_OF_POOL = ['0x0dfe1681', '0xd21220a7'] as const

const isPool = (fork: Fork, who: Address): boolean =>
  TOKENS_OF_POOL.every((selector) => (readAddress(fork, who, selector) ?? ZERO_ADDRESS) !== ZERO_ADDRESS)
