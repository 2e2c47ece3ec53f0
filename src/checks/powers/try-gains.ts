import { largerOf } from '../../bigints.js'
import { fromArgument, SOURCE } from '../../bytecode/source.js'
import type { Term } from '../../bytecode/terms.js'
import { sell } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import { type HandCall, listHandCalls } from './hand-calls.js'
import { type Act, type Hand, holdingOf, type Measured, measure, newWallet, type Play } from './own-wallets.js'
import type { Plan } from './plans.js'
import type { Power, ProofStep } from './power.js'
import { createSentSteps } from './proof-scene.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Series of calls that are played, and gas of all of them: some three million steps. */
const MAX_SERIES = 260
const MAX_GAS = 16_000_000n
/** Wallets that everything passes through in a chain, and times that a thing is done again. */
const HOPS = 6
/** Rounds that a series is played to see that it goes on, and that are worth their gas. */
const ROUNDS = 3
const MOST_ROUNDS = 1_000n

/** Of what is held: less is rounding. Basis points. */
const LEAST_GAIN_BPS = 100n
/** What rewards for holding bring in the time that is waited. */
const LEAST_GAIN_AFTER_WAIT_BPS = 2_000n
/** Of each further wallet that everything passes through. */
const LEAST_GAIN_OF_HOP_BPS = 5n

/**
 * Series of calls that any holder may make, and of transfers between wallets of its own: together
 * they must not hold more after than before. What comes once, or of time, is no gain. So rewards
 * that are paid twice, debts that are forgiven and books that underflow show themselves.
 */
export function tryGains(
  stage: Stage,
  codes: readonly TokenCode[],
  plans: readonly Plan[],
  hasBudget: () => boolean,
): Power[] {
  const listed = listHandCalls(plans)
  if (listed.length === 0 || !hasBudget()) return []
  return onBranch(stage, () => {
    const steps = distribute(stage)
    const first = stage.bystander.context.trader.address
    const held = holdingOf(stage, [first])
    if (held === 0n) return []
    const start = (): Hand => ({ wallets: [first], stake: held, steps: [...steps], waited: 0, gasUsed: 0n, logs: [] })
    let left = MAX_SERIES
    const search: Search = {
      ...{ stage, calls: listed, start, spent: { gas: 0n } },
      mayGoOn() {
        left -= 1
        return left >= 0 && search.spent.gas < MAX_GAS && hasBudget()
      },
    }
    search.calls = withoutIdle(search)
    const shown = tryChain(search) ?? tryReturns(search) ?? trySeries(search) ?? tryReentry(search, codes)
    return shown ? [toPower(stage, shown, MAX_SERIES - left)] : []
  })
}

/** Some of it is sold, so that there is something to share where sales are shared. */
function distribute(stage: Stage): ProofStep[] {
  const { context, held } = stage.bystander
  const sent = createSentSteps()
  stage.effort.trades += 1
  sell({ ...context, watch: () => [sent] }, held / SOLD_PART)
  nextOf(stage)
  return sent.finish()
}

const SOLD_PART = 10n

const nextOf = ({ fork: { evm, chain } }: Stage) => evm.setBlock(nextBlock(chain, evm.block))

interface Search extends Play {
  stage: Stage
  /** Those that are worth a series. */
  calls: readonly HandCall[]
  mayGoOn(): boolean
}

/** What a series brought each time, and by which call. */
interface Gain extends Measured {
  call: HandCall
  /** What bounds it is how much there is, and not what it brings. */
  isUnbounded: boolean
}

/** What takes all that is held takes an amount, and no number of a thing. */
function withoutIdle({ stage, calls, start, spent }: Search): HandCall[] {
  const ofAmounts = new Set(
    calls
      .filter(({ amount, partnerAt }) => amount === 'all' && partnerAt === undefined)
      .filter((call) => (measure(stage, [{ kind: 'call', call, by: 'holder' }], { start, spent })?.gained ?? 0n) < 0n)
      .map(({ plan }) => plan),
  )
  return calls.filter(({ plan, amount }) => amount !== 'number' || !ofAmounts.has(plan))
}

/**
 * Everything passes through many wallets, each of which asks for what it can get: what the first of
 * them got, or more, is got again by each one after it. What a wallet gets that has nothing is a
 * gift, and not for what passes.
 */
function tryChain(search: Search): Gain | undefined {
  const { stage, calls, mayGoOn } = search
  for (const call of calls.filter(({ amount }) => MAY_PAY.has(amount))) {
    if (!mayGoOn()) return undefined
    const hop: Act[] = [
      { kind: 'pass', times: 1n },
      { kind: 'ask', call, by: 'last two' },
    ]
    const end: Act[] = [{ kind: 'wait' }, { kind: 'ask', call, by: 'all' }]
    const through = (hops: number) => measure(stage, [...Array(hops).fill(hop).flat(), ...end], search)
    const [short, own] = [through(1)?.gained ?? 0n, through(0)?.gained ?? 0n]
    if (short <= 0n || isGift(search, call)) continue
    const long = through(HOPS)
    if (long === undefined || long.gained * ROUNDING < long.held) continue
    // An index that time has left behind grows by as many calls of any one.
    const asked = Array<Act>(2 * HOPS).fill({ kind: 'ask', call, by: 'all' })
    if (2n * (measure(stage, [...asked, ...end], search)?.gained ?? 0n) >= long.gained) continue
    const each = (long.gained - short) / BigInt(HOPS - 1)
    const isPaidAgain = 2n * each >= own && own * ROUNDING >= long.held
    if (isPaidAgain || each * BigInt(FULL_BPS) >= long.held * LEAST_GAIN_OF_HOP_BPS)
      return { ...long, call, gained: each, isUnbounded: isPaidAgain }
  }
  return undefined
}

/** What is asked for where something is paid: no more than there is, and no sum of a list. */
const MAY_PAY: ReadonlySet<HandCall['amount']> = new Set(['', 'all', 'number'])

/** Of this part and less nothing is said. */
const ROUNDING = 10n ** 9n

/** Whether who has nothing gets something. */
function isGift({ stage, start, spent }: Search, call: HandCall): boolean {
  const nothing = (): Hand => {
    const hand = start()
    return { ...hand, wallets: [newWallet(stage, hand)] }
  }
  const given = measure(stage, [{ kind: 'ask', call, by: 'all' }], { start: nothing, spent })
  return given === undefined || given.gained > 0n
}

/** Two wallets name each other, and pass everything back and forth. */
function tryReturns(search: Search): Gain | undefined {
  const { stage, calls, mayGoOn } = search
  for (const call of calls.filter(({ partnerAt }) => partnerAt !== undefined)) {
    if (!mayGoOn()) return undefined
    const through = (times: number) => {
      const acts: Act[] = [
        { kind: 'pass', times: 1n },
        { kind: 'ask', call, by: 'all' },
        ...Array<Act>(times).fill({ kind: 'return' }),
      ]
      return measure(stage, acts, search)
    }
    const [long, short] = [through(HOPS), through(1)]
    if (long === undefined || short === undefined) continue
    const each = (long.gained - short.gained) / BigInt(HOPS - 1)
    if (each * BigInt(FULL_BPS) >= long.held * LEAST_GAIN_OF_HOP_BPS)
      return { ...long, call, gained: each, isUnbounded: false }
  }
  return undefined
}

function trySeries(search: Search): Gain | undefined {
  const { stage, calls, mayGoOn } = search
  for (const call of calls) {
    const opens: Act = { kind: 'call', call, by: 'holder' }
    if (!mayGoOn()) return undefined
    if (measure(stage, [opens], search) === undefined) continue
    const closing = calls.filter(
      ({ amount }) => amount === call.amount || !SIZES.has(amount) || !SIZES.has(call.amount),
    )
    const series: Act[][] = [
      [opens],
      [opens, opens, { kind: 'pass', times: 2n }],
      ...closing.flatMap((other): Act[][] => [
        [opens, { kind: 'call', call: other, by: 'holder' }],
        [opens, { kind: 'pass', times: 1n }, { kind: 'call', call: other, by: 'giver' }],
        [opens, { kind: 'wait' }, { kind: 'call', call: other, by: 'holder' }],
      ]),
    ]
    for (const acts of series) {
      if (!mayGoOn()) return undefined
      const found = goesOn(search, call, acts)
      if (found) return found
    }
    for (const other of closing) {
      if (!mayGoOn()) return undefined
      const found = addsUp(search, opens, other)
      if (found) return found
    }
  }
  return undefined
}

/**
 * A contract makes the call and, while it is called back, passes on what it has: where balances are
 * written after that, it has them twice.
 */
function tryReentry(search: Search, codes: readonly TokenCode[]): Gain | undefined {
  const { stage, calls, mayGoOn } = search
  const asked = calls.filter(({ plan, amount }) => ONCE.has(amount) && callsBack(codes, plan))
  for (const call of asked) {
    if (!mayGoOn()) return undefined
    const found = measure(stage, [{ kind: 'reenter', call }], search)
    if (found === undefined) continue
    const plain: Act[] = [
      { kind: 'pass', times: 1n },
      { kind: 'call', call, by: 'holder' },
    ]
    // What was to be paid with is kept, or more is there than there was.
    const gained = found.gained - (measure(stage, plain, search)?.gained ?? 0n)
    if (gained * REENTRY_PART >= found.held) return { ...found, call, gained, isUnbounded: true }
  }
  return undefined
}

const ONCE: ReadonlySet<HandCall['amount']> = new Set(['', 'all'])
/** At least this part of what is held must be gained. */
const REENTRY_PART = 10n

/** Whether the function calls its caller, or an account that the call names. */
const callsBack = (codes: readonly TokenCode[], { contract, selector }: Plan): boolean =>
  codes.some(
    ({ account, facts }) =>
      account === contract &&
      facts.functions.some(
        (fn) =>
          fn.selector === selector &&
          fn.effects.some((effect) => effect.kind === 'call' && effect.op === 'CALL' && isChosen(effect.target)),
      ),
  )

const isChosen = ({ taint: { sources } }: Term) =>
  sources.some((source) => fromArgument(source) || source === SOURCE.caller || source === SOURCE.origin)

/** Amounts of what is held: calls of one series are about the same. */
const SIZES: ReadonlySet<HandCall['amount']> = new Set(['all', 'twice'])

/** Whether what a call notes is paid as often as it was made, though nothing was brought. */
function addsUp(search: Search, opens: Act & { kind: 'call' }, call: HandCall): Gain | undefined {
  const after = (times: number) =>
    measure(
      search.stage,
      [...Array<Act>(times).fill(opens), { kind: 'wait' }, { kind: 'call', call, by: 'holder' }],
      search,
    )
  const once = after(1)
  if (once === undefined || once.gained * ROUNDING < once.held) return undefined
  const often = after(HOPS)
  if (often === undefined) return undefined
  const each = (often.gained - once.gained) / BigInt(HOPS - 1)
  if (2n * each < once.gained) return undefined
  const isLittle = each * BigInt(FULL_BPS) < often.held * LEAST_GAIN_BPS
  if (isLittle && search.spent.gas < MAX_GAS && comesToAnEnd(after(LONG), each)) return undefined
  return { ...often, call: opens.call, gained: each, isUnbounded: true }
}

/** Calls of a row that is seen to go on and on. */
const LONG = 100

/** Steps of an index that are due come to an end; a little at a time has to come for long. */
const comesToAnEnd = (long: Measured | undefined, each: bigint): boolean =>
  long === undefined || long.gained * 2n < each * BigInt(LONG)

/** Whether it brings as much as was there, or round after round something. */
function goesOn(search: Search, call: HandCall, acts: readonly Act[]): Gain | undefined {
  const least = acts.some(({ kind }) => kind === 'wait') ? LEAST_GAIN_AFTER_WAIT_BPS : LEAST_GAIN_BPS
  const isWorth = ({ gained, held }: Measured) => gained * BigInt(FULL_BPS) >= held * least
  const once = measure(search.stage, acts, search)
  if (once === undefined || !isWorth(once)) return undefined
  if (once.gained >= once.held) return { ...once, call, isUnbounded: true }
  const more = measure(search.stage, acts, search, ROUNDS)
  if (more === undefined || more.gained < (once.gained * BigInt(ROUNDS + 1)) / 2n) return undefined
  return { ...more, call, gained: once.gained, isUnbounded: false }
}

function toPower({ market, baseline }: Stage, gain: Gain, tried: number): Power {
  const { call, hand, held, gained, issued, isUnbounded } = gain
  const { contract, selector, argumentTypes } = call.plan
  const from = hand.steps.at(-1)?.from
  const pool = baseline.ledger.pool ?? market.pool.tokenReserve
  // Who begins with as much as the pool has gains in proportion.
  const grown = isUnbounded ? largerOf(gained, pool) : largerOf(gained, (gained * pool) / held) * MOST_ROUNDS
  const isSeen = issued !== undefined && issued >= gained / 2n
  const each = isUnbounded
    ? 'tokens came out of nothing, each time anew'
    : `${percent(gained, held)} of what was held came out of nothing, each time anew`
  return {
    ...{ contract, selector, argumentTypes, tried, isBounded: false, isReversible: false },
    holder: { kind: 'anyone', delaySeconds: 0, isHidden: false, ...(from && { address: from }) },
    effect: isSeen ? 'mints' : 'mints-unseen',
    lossBps: Number((grown * BigInt(FULL_BPS)) / (grown + pool)),
    worstCase: `by calls that any holder can make, and transfers between wallets of its own, ${each}`,
    proof: { steps: hand.steps, outcome: each },
  }
}

const percent = (part: bigint, whole: bigint) => `${Number((part * BigInt(FULL_BPS)) / whole) / 100} %`
