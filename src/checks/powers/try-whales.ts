import { readPrivilegedFunctions } from '../../bytecode/privileged-functions.js'
import { fromStorage, SOURCE, variableOf } from '../../bytecode/source.js'
import { buy } from '../../dex/legs.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import type { Power } from './power.js'
import { createSentSteps } from './proof-scene.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { toPower } from './to-power.js'
import { isGrave, type Tried, tryPlan } from './try-plan.js'

/** Functions that are tried. */
const MAX_FUNCTIONS = 4

/**
 * Functions of which any address may call as much as it holds: votes, seats and shares. What they
 * do to others in the hands of one that has half of the pool. Those that did harm in the hands of
 * others, as `all` tells, are left out.
 */
export function tryWhales(
  stage: Stage,
  { codes, plans, all }: { codes: readonly TokenCode[]; plans: readonly Plan[]; all: readonly Tried[] },
  hasBudget: () => boolean,
): Power[] {
  const weighed = plans.filter((plan) => isOpen(plan) && isWeighed(codes, plan) && !isKnown(all, plan))
  if (weighed.length === 0 || !hasBudget()) return []
  return onBranch(stage, () => {
    const bought = createSentSteps()
    const holder = becomeWhale(stage, bought)
    if (holder === undefined) return []
    return weighed.slice(0, MAX_FUNCTIONS).flatMap((plan) => {
      const tried = tryPlan(stage, plan, holder, hasBudget)
      if (!isGrave(tried)) return []
      return toPower(stage, tried).map((power) => ({
        ...power,
        ...(power.proof && { proof: { ...power.proof, steps: [...bought.finish(), ...power.proof.steps] } }),
      }))
    })
  })
}

const isOpen = ({ kinds, holders, isConventional }: Plan) =>
  !isConventional && kinds.has('transfer') && holders.some(({ kind }) => kind === 'anyone')

const isKnown = (all: readonly Tried[], plan: Plan) => all.some((tried) => tried.plan === plan && isGrave(tried))

/** Whether what the caller has goes into what the function writes of what transfers ask for. */
const isWeighed = (codes: readonly TokenCode[], { contract, selector }: Plan): boolean =>
  codes.some(
    ({ account, facts }) =>
      account === contract &&
      readPrivilegedFunctions(facts).some(
        (fn) =>
          fn.selector === selector &&
          fn.changes.some(({ kind, value }) => {
            const sources = kind === 'transfer' ? (value?.taint.sources ?? []) : []
            const ofHoldings = sources.some((each) => fromStorage(each) && facts.roles.holdings.has(variableOf(each)))
            return ofHoldings && sources.includes(SOURCE.caller)
          }),
      ),
  )

/** The bystander buys for as much as the pool has. `undefined` where the token refuses that. */
function becomeWhale(stage: Stage, bought: ReturnType<typeof createSentSteps>): ActingHolder | undefined {
  const { fork, market, amount, bystander } = stage
  const { evm, chain } = fork
  const spent = market.via === undefined ? market.pool.quoteReserve : amount * MANY
  const { address } = bystander.context.trader
  evm.setBalance(address, 2n * spent + evm.account(address).balance)
  stage.effort.trades += 1
  const { success, tokenDelta } = buy({ ...bystander.context, watch: () => [bought] }, spent)
  evm.setBlock(nextBlock(chain, evm.block))
  return success && tokenDelta > 0n ? { kind: 'anyone', address, delaySeconds: 0, isHidden: false } : undefined
}

/** Usual purchases, where it is not known how much the pool has in coins. */
const MANY = 50n
