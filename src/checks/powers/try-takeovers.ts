import type { Leaf } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK } from '../../hex.js'
import { leavesOf } from '../conditions/conditions.js'
import { attempt, LONGEST_WAIT, solve } from './find-way.js'
import type { ActingHolder } from './holders.js'
import { withoutFalseNotice } from './notice.js'
import type { Plan } from './plans.js'
import { type Move, play } from './play.js'
import type { Stage } from './stage.js'
import { keepWorst, MATTERS, type Tried } from './try-plan.js'
import { DEAD } from './try-setting.js'

/**
 * Calls by which a stranger may become a holder, those of them that are gone on with, and what is
 * then tried.
 */
const MAX_CANDIDATES = 12
const MAX_TAKEOVERS = 3
const CHOICES_PER_FUNCTION = 4
const MAX_FUNCTIONS = 12
/** Holders that name each other: an owner a manager, a manager a keeper. */
const MAX_DEPTH = 4

/**
 * Tries whether any address can become a holder: an open function that writes the stranger's
 * address, and then, by the same stranger, what only holders may do; among that, to name itself
 * once more. What works in this way is a power of any address, whatever its present holder. The
 * same for a living holder where none is named yet, and for one who gave a privilege away and can
 * take it back: what no address may do now, that holder may then.
 */
export function tryTakeovers(stage: Stage, plans: readonly Plan[], hasBudget: () => boolean): Tried[] {
  const guarded = plans.filter(({ holders, isConventional }) => !isConventional && !holders.some(isAnyone))
  const vacant = guarded.filter(({ holders }) => holders.every(({ kind }) => DEAD.has(kind)))
  const decides = ({ kinds }: Plan) => MATTERS.some((kind) => kinds.has(kind))
  const first = plans
    .flatMap((plan) => candidatesOf(plan, holderOf(plan)))
    .filter(({ holder }) => isAnyone(holder) || vacant.some(decides))
    .toSorted((a, b) => Number(isAnyone(b.holder)) - Number(isAnyone(a.holder)))
    .slice(0, MAX_CANDIDATES)
  let ways = first.flatMap((move) => takeover(stage, [], move)).slice(0, MAX_TAKEOVERS)
  const found: Tried[] = []
  for (let depth = 1; ways.length > 0 && depth <= MAX_DEPTH; depth += 1) {
    const next: Way[] = []
    for (const way of ways) {
      const open = isAnyone(way.holder) ? guarded : vacant
      for (const plan of open.filter(decides).slice(0, MAX_FUNCTIONS)) {
        if (found.some((tried) => tried.plan === plan && tried.holder?.kind === way.holder.kind)) continue
        const tried = tryAfter(stage, { plans, plan }, way, hasBudget)
        if (tried === undefined) return found
        if (tried.found.length > 0) found.push(tried)
      }
      const more = open
        .filter(({ kinds }) => kinds.has('holder'))
        .filter((plan) => !way.moves.some((move) => move.plan === plan))
      for (const plan of more.slice(0, MAX_FUNCTIONS)) {
        if (!hasBudget() || next.length >= MAX_TAKEOVERS) break
        next.push(
          ...candidatesOf(plan, way.holder)
            .flatMap((move) => takeover(stage, way.moves, move))
            .slice(0, 1),
        )
      }
    }
    ways = next
  }
  return found
}

/** Calls after which an account is a holder. */
interface Way {
  moves: readonly Move[]
  holder: ActingHolder
}

/** What a function does in the hands of the new holder; `undefined` where the budget has ended. */
function tryAfter(
  stage: Stage,
  { plans, plan }: { plans: readonly Plan[]; plan: Plan },
  { moves, holder }: Way,
  hasBudget: () => boolean,
): Tried | undefined {
  const tried: Tried = { plan, holder, calls: 0, found: [], harmless: [], wrote: new Set() }
  const seen = new Set<string>()
  for (const choice of plan.choices.slice(0, CHOICES_PER_FUNCTION)) {
    if (!hasBudget()) return undefined
    const { effects } = play(stage, [...moves, { plan, holder, choice }], { skip: seen, mayLook: true })
    tried.calls += moves.length + 1
    for (const effect of withoutFalseNotice(stage, plans, effects, hasBudget)) keepWorst(tried, effect)
  }
  return tried
}

const isAnyone = ({ kind }: ActingHolder) => kind === 'anyone'

const holderOf = ({ holders }: Plan) => holders.find(isAnyone) ?? holders.find(({ address }) => address !== undefined)

/** Calls that may name the caller, without an address or with its own, or a contract of its own. */
function candidatesOf(plan: Plan, holder: ActingHolder | undefined): Move[] {
  if (holder === undefined || plan.isConventional) return []
  // A holder who names itself as the code becomes no holder by that.
  if (!isAnyone(holder) && plan.kinds.has('code')) return []
  const takesAddress = plan.parameters.some(({ type }) => type === 'address')
  const named = plan.choices.find(({ address }) => !takesAddress || address === 'holder')
  // A living holder who names another gives away what he has.
  const isOther = takesAddress && isAnyone(holder)
  const contract = isOther ? plan.choices.find(({ address }) => address === 'hostile') : undefined
  return [named, contract].flatMap((choice) => (choice === undefined ? [] : [{ plan, holder, choice }]))
}

/** Where an address may stand in a word, beside flags. */
const PLACES = Array.from({ length: 13 }, (_, byte) => BigInt(8 * byte))

/** The way on where a word of the token's storage names the account, or an entry is made for it. */
function takeover(stage: Stage, before: readonly Move[], move: Move): Way[] {
  const isContract = move.choice.address === 'hostile'
  const address = isContract ? stage.hostile : move.holder.address
  const patient = before.length > 0 ? inTime(stage, before, move) : move
  const { writes } = play(stage, [...before, patient], { skip: new Set(), mayLook: false })
  const changed = [...(writes.get(stage.token)?.values() ?? [])].filter((word) => word.before !== word.after)
  const account = BigInt(address ?? 0)
  const names = (word: bigint) => PLACES.some((bits) => ((word >> bits) & ADDRESS_MASK) === account)
  const isMember = before.length > 0 && changed.some(({ before: none, after }) => none === 0n && after === 1n)
  if (!isMember && !changed.some(({ after }) => names(after))) return []
  return [{ moves: [...before, patient], holder: { ...move.holder, ...(address && { address }) } }]
}

/** The move after the wait that it is refused for. */
function inTime(stage: Stage, before: readonly Move[], move: Move): Move {
  const { at, refusal } = attempt(stage, [...before, move])
  const clock = refusal && leavesOf(refusal.condition).find(isClock)
  if (at !== before.length || refusal === undefined || clock === undefined) return move
  const [moment] = solve(refusal.condition, clock).filter((time) => time > clock.value)
  if (moment === undefined || moment - clock.value > LONGEST_WAIT) return move
  return { ...move, waitSeconds: Number(moment - clock.value) + 1 }
}

const isClock = (leaf: Leaf) => leaf.kind === 'environment' && leaf.name === 'TIMESTAMP'
