import { AnalysisResistedError } from '../../evm/limits.js'
import type { Address } from '../../hex.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario } from '../../simulation/scenario.js'
import type { Word } from '../dependencies/trade-dependencies.js'
import { findMarket } from '../trade/find-market.js'
import type { TradeInput } from '../trade/run-trade-scenario.js'
import { tradeAmount } from '../trade/trade-amount.js'
import { allowancePlans } from './allowance-plans.js'
import { type DecisiveWords, readDecisiveWords } from './decisive-words.js'
import { findCaller } from './find-caller.js'
import { constantsOf } from './fingerprint.js'
import { foreignPlans } from './foreign-plans.js'
import { createHolderFinder, type HolderFinder, mayHold } from './holders.js'
import { withOwnCallers } from './own-callers.js'
import { listPlans, type Plan } from './plans.js'
import type { Power, PowersFacts, Recipe } from './power.js'
import { readContracts, type TokenCode } from './read-contracts.js'
import { recipesFor, replay, toRecipes } from './recipes.js'
import { type Stage, setStage } from './stage.js'
import { toPower } from './to-power.js'
import { tryAftermaths } from './try-aftermaths.js'
import { tryChains } from './try-chains.js'
import { tryCoins } from './try-coins.js'
import { tryGains } from './try-gains.js'
import { tryInnerBranches } from './try-inner-branches.js'
import { tryLossesAgain } from './try-losses-again.js'
import { tryPairs } from './try-pairs.js'
import { type Tried, tryPlan } from './try-plan.js'
import { tryRawCalls } from './try-raw-calls.js'
import { trySelfTransfers } from './try-self-transfers.js'
import { trySetting, trySettingHidden } from './try-setting.js'
import { trySigners } from './try-signers.js'
import { trySlots } from './try-slots.js'
import { tryStandard } from './try-standard.js'
import { tryTakeovers } from './try-takeovers.js'
import { tryUnborn } from './try-unborn.js'
import { tryWhales } from './try-whales.js'
import { writesOf } from './writers.js'

export interface SweepInput extends TradeInput {
  /** What worked on codes like this one. */
  recipes: readonly Recipe[]
  /** Accounts that events name as members of roles. */
  members: readonly Address[]
}

/**
 * Calls of holders, and trades to see what came of them. Each call takes some thousand steps, each
 * trade some ten thousand.
 */
export const MAX_CALLS = 1_200
export const MAX_TRADES = 140

const NOTHING: PowersFacts = { powers: [], guards: [], effort: { calls: 0, trades: 0 }, recipes: [], unfinished: '' }

/**
 * Acts as each account that has power over the token, on a world in which ordinary people have
 * bought, and looks what becomes of them. Ends by counts alone, so that every round of it does the
 * same.
 */
export const sweepPowers = defineScenario({
  module: import.meta.url,
  name: 'sweepPowers',
  run(fork, input: SweepInput): PowersFacts {
    const { seed, amount, recipes, members } = input
    const random = createSeededRandom(seed)
    const { market, markets, provided } = findMarket(fork, input, random)
    if (!market || provided) return { ...NOTHING, unfinished: 'no pool to try them in was found' }
    const set = setStage(fork, market, markets, random, amount ?? tradeAmount(market, random))
    if (typeof set === 'string') return { ...NOTHING, unfinished: set }
    const stage = withOwnCallers(set)
    const all: Tried[] = []
    const shown: Power[] = []
    const guards: Word[] = []
    const unfinished = trySteps(() => sweep(stage, { recipes, members }, { all, shown, guards }))
    return {
      powers: [...all.filter((tried) => !isShown(tried, shown)).flatMap((tried) => toPower(stage, tried)), ...shown],
      guards,
      effort: stage.effort,
      scene: stage.scene,
      recipes: toRecipes(all),
      unfinished,
    }
  },
})

/** A function that was quiet in the calls of the list, and was then shown to do harm. */
const isShown = ({ plan, found }: Tried, shown: readonly Power[]) =>
  found.length === 0 &&
  shown.some(({ contract, selector, isShownBySetting }) => {
    return !isShownBySetting && contract === plan.contract && selector === plan.selector
  })

/** What was found before a bound was met stays found. */
function trySteps(work: () => string): string {
  try {
    return work()
  } catch (error) {
    if (error instanceof AnalysisResistedError) return error.shortMessage
    throw error
  }
}

function sweep(
  stage: Stage,
  { recipes, members }: Pick<SweepInput, 'recipes' | 'members'>,
  { all, shown, guards }: Found,
): string {
  const { effort } = stage
  const hasBudget = () => effort.calls < MAX_CALLS && effort.trades < MAX_TRADES
  const codes = readContracts(stage.fork, stage.token)
  const decisive = readDecisiveWords(stage)
  const foreign = decisive.foreign.flatMap((address) => readContracts(stage.fork, address))
  const finder = createHolderFinder(stage, codes, members)
  const asked = [
    ...foreign.flatMap((code) => foreignPlans(stage, code, finder, decisive.words)),
    ...allowancePlans(stage, codes, finder, decisive),
  ]
  const { plans: listed, cut } = listPlans(stage, codes, finder, { words: decisive.words, asked })
  const constants = constantsOf(stage, { codes, plans: listed, words: decisive.words })
  const plans = listed.map((plan) => ({ ...plan, fingerprint: `${plan.fingerprint} ${constants}` }))
  // Before anything is tried, which may change them.
  guards.push(...codes.flatMap(guardsOf))
  let isClone = true
  for (const plan of plans) {
    const known = recipesFor(recipes, plan)
    for (const named of [...plan.holders, ...keptHolders(stage, plan, decisive, finder)]) {
      const holder = isToBeFound(named) ? (findCaller(stage, finder, { holder: named, plan }) ?? named) : named
      if (all.some((tried) => isSameAs(tried, plan, holder))) continue
      if (holder.address === undefined) all.push(untried(plan, holder))
      else {
        const again = known.length > 0 ? replay(stage, plans, plan, holder, known) : undefined
        isClone &&= again !== undefined
        all.push(again ?? tryAs(stage, plan, holder, hasBudget))
      }
    }
  }
  all.push(...tryTakeovers(stage, plans, hasBudget))
  if (!isClone) {
    tryPairs(stage, all, hasBudget)
    tryChains(stage, { plans, finder, all }, hasBudget)
    tryInnerBranches(stage, all, hasBudget)
  }
  shown.push(...trySigners(stage, codes, finder, hasBudget), ...trySelfTransfers(stage, finder, hasBudget))
  shown.push(...tryStandard(stage, codes, finder, all, hasBudget))
  shown.push(...tryUnborn(stage, codes, decisive.silent, hasBudget), ...tryCoins(stage, decisive, hasBudget))
  const raw = tryRawCalls(stage, { codes, foreign, finder, decisive, plans, all }, hasBudget)
  shown.push(...raw.powers)
  shown.push(...tryWhales(stage, { codes, plans, all, decisive }, hasBudget))
  shown.splice(0, shown.length, ...tryLossesAgain(stage, all, shown, hasBudget))
  const asking = { codes: [...codes, ...foreign], ...decisive }
  const setting = trySetting(stage, plans, all, asking, shown, hasBudget)
  shown.push(...setting.powers)
  shown.push(...trySettingHidden(stage, codes, decisive, shown, hasBudget))
  const isSpent = !hasBudget()
  // With what is left: that there is more to do than can be done is no fault of a token here.
  if (!isClone) tryAftermaths(stage, { all, decisive, finder }, hasBudget)
  // Each by itself: what the first found stays where a bound ends the second.
  shown.push(...tryGains(stage, codes, plans, hasBudget))
  shown.push(...trySlots(stage, codes, hasBudget))
  const gaps = codes.flatMap(({ facts }) => facts.gaps)
  if (cut || setting.isCut || isSpent) return 'there are more powers than can be tried'
  if (raw.left > 0) return `${raw.left} places where something that sales depend on is written were not led to`
  if (raw.isUnreached) return 'code behind no known function writes what sales depend on, and no call was found for it'
  return gaps.length > 0 ? `the code could not be read completely (${[...new Set(gaps)].join(', ')})` : ''
}

/** What refuses a stranger that has nothing may let one act that has bought: any address can. */
function tryAs(stage: Stage, plan: Plan, holder: Plan['holders'][number], hasBudget: () => boolean): Tried {
  const tried = tryPlan(stage, plan, holder, hasBudget)
  const isRefused = tried.found.length === 0 && tried.harmless.length === 0
  if (holder.kind !== 'anyone' || !isRefused || plan.isConventional || !plan.kinds.has('transfer')) return tried
  const bought = tryPlan(stage, plan, { ...holder, address: stage.bystander.context.trader.address }, hasBudget)
  return bought.found.length > 0 || bought.harmless.length > 0 ? bought : tried
}

const isToBeFound = ({ kind, address }: Plan['holders'][number]) => kind === 'unknown' && address === undefined

/** Accounts whose records a sale writes and this entry as well, where any address may call it. */
function keptHolders(stage: Stage, plan: Plan, { records }: DecisiveWords, finder: HolderFinder): Plan['holders'] {
  if (!plan.holders.some(({ kind }) => kind === 'anyone')) return []
  const accounts = records.filter(({ word }) => writesOf(plan, word).length > 0).map(({ account }) => account)
  return [...new Set(accounts)]
    .filter((account) => mayHold(stage, account))
    .map((account) => finder.describe(account, false))
}

/** What a sweep has found, also where a bound ends it. */
interface Found {
  all: Tried[]
  shown: Power[]
  guards: Word[]
}

const guardsOf = ({ account, asked }: TokenCode): Word[] =>
  [...asked].map(([slot, value]) => ({ address: account, slot, value, role: 'guards' }))

/** A convention has shown already what this function does in these hands. */
const isSameAs = ({ plan, holder, found }: Tried, { contract, selector }: Plan, by: Plan['holders'][number]) =>
  plan.isConventional &&
  found.length > 0 &&
  plan.contract === contract &&
  plan.selector === selector &&
  holder?.address === by.address

const untried = (plan: Plan, holder: Plan['holders'][number]): Tried => ({
  plan,
  holder,
  calls: 0,
  found: [],
  harmless: [],
  wrote: new Set(),
})
