import { sell } from '../../dex/legs.js'
import { onBranch } from '../on-branch.js'
import { gravityOf } from './gravity.js'
import type { ActingHolder } from './holders.js'
import { noticeOf } from './notice.js'
import { type Found, type Move, perform } from './play.js'
import type { EffectKind, Holder, Power, Proof } from './power.js'
import type { Stage } from './stage.js'
import { MATTERS, type Tried } from './try-plan.js'

/** What of a function is reported: its worst effect, and one more of another kind. */
const MAX_EFFECTS = 2
/**
 * Effects above this share of the whole count as unbounded: what the code still forbids saves no
 * holder.
 */
const BOUND_BPS = 5_000

/**
 * Says of one function what it can do at worst; of a quiet one, how much was tried, where it
 * touches what buyers depend on.
 */
export function toPower(stage: Stage, tried: Tried): Power[] {
  const { plan, holder, calls } = tried
  if (holder === undefined) return []
  const { contract, selector, argumentTypes } = plan
  const { assumed: _, ...who } = holder
  const base = { contract, selector, argumentTypes, holder: who satisfies Holder, tried: calls }
  const worst = tried.found
    .toSorted((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))
    .slice(0, MAX_EFFECTS)
  if (worst.length === 0) return isQuietPower(tried) ? [{ ...base, ...quiet(tried) }] : []
  return worst.map((found) => ({
    ...base,
    holder: withNotice(neededFor(found.moves) ?? lastOf(found.moves) ?? who, noticeOf(found.moves)),
    effect: found.kind,
    lossBps: found.lossBps,
    ...(found.purchasesGoOn !== undefined && { purchasesGoOn: found.purchasesGoOn }),
    worstCase: found.outcome,
    isBounded: found.lossBps < BOUND_BPS,
    isReversible: isReversible(stage, tried, found),
    proof: toProof(found),
  }))
}

function toProof({ moves, steps, outcome }: Found): Proof {
  const settings = moves.flatMap(({ holder: { assumed } }) =>
    assumed ? [{ address: assumed.account, slot: assumed.slot, value: assumed.value }] : [],
  )
  return { ...(settings.length > 0 && { settings }), steps: [...steps], outcome }
}

const withNotice = ({ assumed: _, ...who }: ActingHolder, seconds: number): Holder => ({
  ...who,
  delaySeconds: Math.max(who.delaySeconds, seconds),
})

/** What anyone can do after a holder's call is that holder's to open. */
const neededFor = (moves: readonly Move[]): ActingHolder | undefined =>
  moves.at(-1)?.holder.kind === 'anyone' ? moves.find(({ holder }) => holder.kind !== 'anyone')?.holder : undefined

/** A refusal may have told who may call. */
const lastOf = (moves: readonly Move[]): ActingHolder | undefined => moves.at(-1)?.holder

/**
 * A function that could have done harm by what it writes: its holder's, or anyone's that let itself
 * be called and writes what transfers ask for. Conventional calls that the code does not have are
 * left out.
 */
const isQuietPower = ({ plan, holder, harmless }: Tried) =>
  (holder?.kind !== 'anyone' || (harmless.length > 0 && plan.kinds.has('transfer'))) &&
  !plan.isConventional &&
  MATTERS.some((kind) => plan.kinds.has(kind))

function quiet({
  holder,
  calls,
  harmless,
}: Tried): Pick<Power, 'effect' | 'lossBps' | 'worstCase' | 'isBounded' | 'isReversible' | 'proof'> {
  const none = { effect: 'none', lossBps: 0, isReversible: undefined, proof: undefined } as const
  if (holder?.kind === 'renounced')
    return { ...none, isBounded: true, worstCase: 'renounced: no address can call it any more' }
  if (holder?.kind === 'unset')
    return { ...none, isBounded: true, worstCase: 'no address was ever named that could call it' }
  const untried = { ...none, effect: 'untried', isBounded: false } as const
  if (calls === 0) return { ...untried, worstCase: 'could not be tried: who may call it was not found' }
  // A refusal may pass: with the day, with other words, after another call.
  if (harmless.length === 0) return { ...untried, worstCase: `could not be tried: all ${calls} calls were refused` }
  return { ...none, isBounded: true, worstCase: `none of ${calls} calls did any harm to buyers` }
}

/** Balances that are gone do not come back by another call of the account that took them. */
const FINAL: readonly EffectKind[] = [
  'burns-balance',
  'moves-balance',
  'mints',
  'mints-unseen',
  'takes-allowance',
  'pulls-liquidity',
  'destroys',
  'replaces-code',
]
const MAX_REMEDIES = 3

/**
 * Whether a harmless call of the same function, after the harmful one, lets the buyer sell again as
 * before.
 */
function isReversible(stage: Stage, { plan, holder, harmless }: Tried, { kind, moves }: Found): boolean | undefined {
  if (FINAL.includes(kind)) return false
  if (holder === undefined) return undefined
  const opposite: Move[] =
    moves.at(-1) === undefined ? [] : plan.choices.filter(isOther(moves)).map((choice) => ({ plan, holder, choice }))
  const remedies = [...opposite, ...harmless].slice(0, MAX_REMEDIES)
  if (remedies.length === 0) return undefined
  return remedies.some((remedy) =>
    onBranch(stage, () => {
      if (perform(stage, [...moves, remedy]).acted === undefined) return false
      stage.effort.trades += 1
      const { success, taxBps } = sell(stage.buyer.context, stage.buyer.held)
      return success && (taxBps ?? 0) <= stage.baseline.sellTaxBps + TOLERANCE_BPS
    }),
  )
}

const isOther = (moves: readonly Move[]) => (choice: Move['choice']) => {
  const last = moves.at(-1)?.choice
  return last !== undefined && choice.address === last.address && choice.flag !== last.flag
}

/** A price that moved by rounding is no tax. */
const TOLERANCE_BPS = 50
