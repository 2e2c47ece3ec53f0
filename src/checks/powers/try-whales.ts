import type { ContractFacts } from '../../bytecode/facts.js'
import { type PrivilegedFunction, readPrivilegedFunctions } from '../../bytecode/privileged-functions.js'
import { fromArgument, fromStorage, SOURCE, type Source, variableOf } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { buy } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import type { DecisiveWords } from './decisive-words.js'
import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import type { Power } from './power.js'
import { createSentSteps } from './proof-scene.js'
import type { TokenCode } from './read-contracts.js'
import { freshBeside, type Stage } from './stage.js'
import { toPower } from './to-power.js'
import { movesOf, tryAgain } from './try-aftermaths.js'
import { tryPairs } from './try-pairs.js'
import { isGrave, type Tried, tryPlan } from './try-plan.js'

interface Listed {
  codes: readonly TokenCode[]
  plans: readonly Plan[]
  all: Tried[]
  decisive: DecisiveWords
}

/** Functions that are tried. */
const MAX_FUNCTIONS = 4

/**
 * Functions of which any address may call as much as it holds: votes, seats and shares. What they
 * do to others in the hands of one that has half of the pool. Those that did harm in the hands of
 * others, as `all` tells, are left out. What did none, and refused those who have less, is known in
 * these hands: `all` is changed.
 */
export function tryWhales(stage: Stage, { codes, plans, all, decisive }: Listed, hasBudget: () => boolean): Power[] {
  const open = plans.filter((plan) => isOpen(plan) && !isKnown(all, plan))
  const weighed = open.filter((plan) => plan.kinds.has('transfer') && isWeighed(codes, plan))
  const seated = open.map((plan) => ({ plan, fillers: fillersOf(codes, plans, plan) }))
  const forSeats = seated.filter(({ fillers }) => fillers.length > 0).slice(0, MAX_FUNCTIONS)
  if (weighed.length + forSeats.length === 0 || !hasBudget()) return []
  return onBranch(stage, () => {
    const bought = createSentSteps()
    const holder = becomeWhale(stage, bought)
    if (holder === undefined) return []
    const held = balanceOf(stage.fork, stage.token, holder.address) ?? 0n
    const told = (tried: Tried): Power[] =>
      toPower(stage, tried).map((power) => ({
        ...power,
        ...(power.proof && { proof: { ...power.proof, steps: [...bought.finish(), ...power.proof.steps] } }),
      }))
    const ofWeight = weighed.slice(0, MAX_FUNCTIONS).flatMap((plan) => {
      const tried = tryPlan(stage, withAmount(plan, held), holder, hasBudget)
      for (const move of movesOf(tried)) if (hasBudget() && !isGrave(tried)) tryAgain(stage, tried, move, decisive)
      if (tried.found.length === 0) {
        const refused = all.findIndex((each) => each.plan === plan && each.found.length + each.harmless.length === 0)
        if (refused >= 0 && tried.harmless.length > 0) all[refused] = { ...tried, plan }
        return []
      }
      return told(tried)
    })
    const ofSeats = forSeats.flatMap(({ plan, fillers }) => {
      const tried = tryPlan(stage, plan, holder, hasBudget)
      const filling = fillers.map((filler) => tryPlan(stage, withAmount(filler, held), holder, hasBudget))
      tryPairs(stage, [...filling, tried], hasBudget)
      return tried.found.length > 0 ? told(tried) : []
    })
    return [...ofWeight, ...ofSeats]
  })
}

/** Functions that are tried as those by which a seat is taken. */
const MAX_FILLERS = 2

/**
 * Functions by which a caller lays down tokens for what the plan asks of its caller: so much of a
 * stake, and no other right.
 */
function fillersOf(codes: readonly TokenCode[], plans: readonly Plan[], plan: Plan): Plan[] {
  const facts = codes.find(({ account }) => account === plan.contract)?.facts
  const seat = facts && functionOf(facts, plan)
  if (facts === undefined || seat === undefined) return []
  const asked = new Set(
    seat.fn.conditions.flatMap(({ term: { taint }, fails }) =>
      fails !== undefined && taint.sources.includes(SOURCE.caller) && !taint.sources.some(fromArgument)
        ? taint.sources.filter(fromStorage).map(variableOf)
        : [],
    ),
  )
  const fills = (filler: Plan) => {
    const named = filler === plan ? undefined : functionOf(facts, filler)
    if (named === undefined || filler.contract !== plan.contract) return false
    const laidDown = amountsLaidDown(facts, named)
    return named.fn.effects.some(
      (effect) =>
        effect.kind === 'write' &&
        !facts.roles.holdings.has(classifyKey(effect.key).id) &&
        asked.has(classifyKey(effect.key).id) &&
        effect.value.taint.sources.some((source) => laidDown.has(source)),
    )
  }
  return plans.filter(fills).slice(0, MAX_FILLERS)
}

const functionOf = (facts: ContractFacts, { selector }: Plan): PrivilegedFunction | undefined =>
  readPrivilegedFunctions(facts).find((fn) => fn.selector === selector)

const isOpen = ({ holders, isConventional }: Plan) => !isConventional && holders.some(({ kind }) => kind === 'anyone')

const isKnown = (all: readonly Tried[], plan: Plan) => all.some((tried) => tried.plan === plan && isGrave(tried))

/** The function is first called about all that is held. */
function withAmount(plan: Plan, held: bigint): Plan {
  const [first] = plan.choices
  const ofEach = plan.choices.filter(({ number }) => number === first?.number)
  return { ...plan, choices: [...ofEach.map((choice) => ({ ...choice, number: held })), ...plan.choices] }
}

/**
 * Whether what the caller has, or lays down, goes into what the function writes of what transfers
 * ask for.
 */
const isWeighed = (codes: readonly TokenCode[], { contract, selector }: Plan): boolean =>
  codes.some(
    ({ account, facts }) =>
      account === contract &&
      readPrivilegedFunctions(facts).some(
        (fn) => fn.selector === selector && (asksForMuch(facts, fn) || weighs(facts, fn)),
      ),
  )

const isOfHoldings = ({ roles }: ContractFacts, sources: readonly Source[]) =>
  sources.includes(SOURCE.caller) && sources.some((each) => fromStorage(each) && roles.holdings.has(variableOf(each)))

/** Whether it is for those alone who have so much, whatever they call it with. */
const asksForMuch = (facts: ContractFacts, { fn, changes }: PrivilegedFunction) =>
  changes.some(({ kind }) => kind === 'transfer') &&
  fn.conditions.some(({ term: { taint }, fails }) => {
    return fails !== undefined && isOfHoldings(facts, taint.sources) && !taint.sources.some(fromArgument)
  })

function weighs(facts: ContractFacts, fn: PrivilegedFunction): boolean {
  const laidDown = amountsLaidDown(facts, fn)
  return fn.changes.some(({ kind, value }) => {
    const sources = kind === 'transfer' ? (value?.taint.sources ?? []) : []
    return isOfHoldings(facts, sources) || sources.some((each) => laidDown.has(each))
  })
}

/** Arguments that are taken off the balance of the caller. */
function amountsLaidDown({ roles }: ContractFacts, { fn }: PrivilegedFunction): ReadonlySet<Source> {
  const debits = fn.effects.flatMap((effect) => {
    if (effect.kind !== 'write' || effect.value.op !== 'SUB') return []
    const { id, keys } = classifyKey(effect.key)
    return roles.balances.has(id) && keys[0]?.op === 'CALLER' ? [effect.value] : []
  })
  return new Set(debits.flatMap(({ taint }) => taint.sources.filter(fromArgument)))
}

/** A stranger buys for as much as the pool has. `undefined` where the token refuses that. */
function becomeWhale(
  stage: Stage,
  bought: ReturnType<typeof createSentSteps>,
): (ActingHolder & { address: Address }) | undefined {
  const { fork, market, amount, bystander } = stage
  const { evm, chain } = fork
  const spent = market.via === undefined ? market.pool.quoteReserve : amount * MANY
  // None of those whose books are looked at.
  const address = freshBeside(stage, 1)
  const trader = { ...bystander.context.trader, address }
  evm.setBalance(address, 2n * spent + evm.account(address).balance)
  stage.effort.trades += 1
  const { success, tokenDelta } = buy({ ...bystander.context, trader, watch: () => [bought] }, spent)
  evm.setBlock(nextBlock(chain, evm.block))
  return success && tokenDelta > 0n ? { kind: 'anyone', address, delaySeconds: 0, isHidden: false } : undefined
}

/** Usual purchases, where it is not known how much the pool has in coins. */
const MANY = 50n
