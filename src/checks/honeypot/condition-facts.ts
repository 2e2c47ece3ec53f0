import { variableAt } from '../../bytecode/storage-key.js'
import type { TradeContext } from '../../dex/legs.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf, type Term, termsIn, valueIf } from '../../evm/inspectors/term.js'
import type { Address, Hex } from '../../hex.js'
import { isAbout, isFollowed, leavesOf } from '../conditions/conditions.js'
import { LEAVES_OF_OPCODES, type LeafKind } from '../conditions/leaf-kind.js'
import { asksSellersCode } from './account-kinds.js'
import { explainCause, type Names } from './explain-cause.js'
import type { ProbeFacts } from './honeypot-facts.js'
import { readSellerWord } from './seller-words.js'

/**
 * Who or what can make a condition answer otherwise. `now`: the seller, or chance of the block.
 * `holder`: what writes that storage, which the test of privileges is about.
 */
export type Reach = 'now' | 'time' | 'trading' | 'anyone' | 'holder' | 'unknown'

/** What decides the ordinary sale. */
export interface SaleConditions {
  /**
   * Conditions that each token has: that the seller has, and allowed, as much; and what is fixed.
   */
  ordinary: number
  /** All others. */
  others: readonly ConditionFacts[]
  /** There were more than are kept. */
  isTruncated: boolean
}

/** What was found about one condition of the ordinary sale. */
export interface ConditionFacts {
  /** Whose code, which of its functions, and where. */
  address: Address
  selector: Hex
  pc: number
  /** How it answers now, in words. */
  text: string
  leaves: readonly LeafKind[]
  /**
   * Variables of storage that it asked for, by the name that reading code gives them; `seller`
   * where it asked something about him.
   */
  asked: readonly string[]
  /**
   * What selling comes to where it answers otherwise: basis points; `undefined` if not looked at.
   */
  lossBps: number | undefined
  /** That loss is more than that of the ordinary sale. */
  isHarmful: boolean
  /** Circumstances in which it answers otherwise, and in which the token was sold. */
  played: readonly ProbeFacts['name'][]
  /** `undefined` where nothing can. */
  reach: Reach | undefined
  /** Why it is not known who or what can make it answer otherwise; absent where it is. */
  unexplained: string | undefined
}

/** What looking at one condition came to. */
export interface Look {
  /** It is no branch, and cannot be forced. */
  decidesByArithmetic: boolean
  /** No bound of ours left out a sale that would have shown more. */
  isWhole: boolean
  lossBps: number | undefined
  isHarmful: boolean
  /** Something was found that brings it about, whether or not that could be entered. */
  isSolved: boolean
  played: readonly ProbeFacts['name'][]
  /** It was played, and yet no branch that asks for the same answered otherwise. */
  isMissed?: boolean
}

/** Whether nothing that a condition asks for can ever be otherwise in a sale of this pool. */
export function isFixed(context: TradeContext, held: bigint, { condition }: Decision): boolean {
  return kindsOf(context, held, condition).every((kind) => kind === 'fixed')
}

/** Whether another wallet, gas price or block can turn it. */
export function turnsByItself(context: TradeContext, held: bigint, { condition }: Decision): boolean {
  return kindsOf(context, held, condition).some((kind) => TURNING.has(kind))
}

const TURNING: ReadonlySet<LeafKind> = new Set(['block', 'gas', 'gas-price', 'seller', 'coins'])

function kindsOf(context: TradeContext, held: bigint, condition: Term): LeafKind[] {
  if (!isFollowed(condition)) return ['unknown']
  return [...new Set(leavesOf(condition).map((leaf) => kindOf(context, held, leaf)))]
}

export function tellCondition(
  context: TradeContext,
  { decision, held, names }: { decision: Decision; held: bigint; names: Names },
  look: Look,
): ConditionFacts {
  const { lossBps, isHarmful, played } = look
  const { address, selector, pc, reason } = explainCause(decision, names)
  const kinds = kindsOf(context, held, decision.condition)
  return {
    ...{ address, selector, pc, text: reason, leaves: kinds, lossBps, isHarmful, played },
    asked: askedIn(context, decision.condition),
    ...explain(context, decision.condition, kinds, look),
  }
}

function askedIn({ trader }: TradeContext, condition: Term): string[] {
  const names = [...termsIn(condition)].map((term) => {
    // What is asked about the seller asks who sells.
    if (term.kind === 'environment') return isAbout(term, trader.address) ? 'seller' : undefined
    if (term.kind !== 'slot') return undefined
    if (term.member) return variableAt(term.member.entry.place, term.member.offset)
    return term.entry ? variableAt(term.entry.place, 0) : variableAt(term.slot)
  })
  return [...new Set(names)].filter((name) => name !== undefined)
}

/** What brings a circumstance about; all others are the seller's or the block's. */
const REACHES: Partial<Record<ProbeFacts['name'], Reach>> = {
  crowd: 'trading',
  'second-sell': 'trading',
  'sent-coins': 'anyone',
  'sent-tokens': 'anyone',
  'open-call': 'anyone',
  'later-code': 'unknown',
  'hidden-command': 'holder',
  'added-liquidity': 'trading',
}

function explain(
  context: TradeContext,
  condition: Term,
  kinds: readonly LeafKind[],
  look: Look,
): Pick<ConditionFacts, 'reach' | 'unexplained'> {
  const unexplained = whyUnexplained(context, condition, kinds, look)
  if (unexplained !== undefined) return { reach: 'unknown', unexplained }
  const [name] = look.played
  return { reach: name ? (REACHES[name] ?? 'now') : reachOf(kinds), unexplained }
}

function reachOf(kinds: readonly LeafKind[]): Reach | undefined {
  if (kinds.includes('time')) return 'time'
  if (kinds.includes('market')) return 'trading'
  return kinds.includes('storage') ? 'holder' : undefined
}

/** What the seller's own deeds move is the seller's. */
const OWN_KINDS = { approval: 'seller', means: 'coins' } as const

function kindOf(context: TradeContext, held: bigint, leaf: Leaf): LeafKind {
  const { pool, via } = context.market
  if (leaf.value === BigInt(context.trader.address)) return 'seller'
  switch (leaf.kind) {
    case 'slot': {
      const own = readSellerWord(context, leaf)
      if (own) return OWN_KINDS[own.kind]
      // Which tokens a pool exchanges never changes.
      if (leaf.address === pool.address && [pool.token, pool.quote].map(BigInt).includes(leaf.value)) return 'fixed'
      return [pool.address, via?.address, pool.quote].includes(leaf.address) ? 'market' : 'storage'
    }
    case 'argument':
      return leaf.value === held ? 'amount' : 'fixed'
    case 'environment':
      return LEAVES_OF_OPCODES[leaf.name] ?? 'fixed'
  }
}

/**
 * Who sells, how much, when and in which block is known or played. What is left: formulas that are
 * not solved although something in them moves by itself.
 */
function whyUnexplained(
  context: TradeContext,
  condition: Term,
  kinds: readonly LeafKind[],
  look: Look,
): string | undefined {
  if (!look.isWhole) return NOT_TRIED
  if (look.isMissed) return MISSED
  const isDecisive = look.isHarmful || look.decidesByArithmetic
  if (look.played.length > 0 || !isDecisive) return undefined
  // Accounts of a kind that cannot buy have nothing to lose.
  if (look.isHarmful && !look.isSolved && isFollowed(condition))
    if (leavesOf(condition).some((leaf) => asksSellersCode(context, leaf))) return ASKS_CODE
  if (kinds.includes('unknown')) return isSmall(condition) ? 'its formula is too deep' : 'its formula is too large'
  if (!look.isHarmful || !kinds.some((kind) => MOVING.has(kind))) return undefined
  if (valueIf(condition, () => undefined) !== condition.value) return 'its formula could not be followed'
  return [...termsIn(condition)].some(isHash) ? 'it asks for a hash of what changes' : undefined
}

const ASKS_CODE = 'it asks for code of the seller that is not known'
const NOT_TRIED = 'it was not tried, for there are too many'
const MISSED = 'what should have made it answer otherwise did not'
const MOVING: ReadonlySet<LeafKind> = new Set(['time', 'block', 'gas', 'gas-price', 'seller', 'amount', 'coins'])

const isHash = (term: Term) =>
  term.kind === 'operation' ? term.name === 'KECCAK256' : term.kind === 'environment' && term.name === 'BLOCKHASH'

/** Conditions of a sale that are not known to be harmless, or to be in known hands. */
export function findUnexplained({ others }: SaleConditions): ConditionFacts[] {
  return others.filter(({ unexplained }) => unexplained !== undefined)
}
