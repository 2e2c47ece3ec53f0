import { disassemble } from '../../bytecode/disassemble.js'
import { hashNormalised } from '../../bytecode/normalised-hash.js'
import { PROXY_SLOTS } from '../../bytecode/proxy.js'
import { ADDRESS_MASK, type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { Blame } from '../../scheduling/machine-load.js'
import type { StateSource } from '../../state/state-source.js'
import { readStoredCode } from '../bytecode/read-subject.js'
import type { Word } from '../dependencies/trade-dependencies.js'
import type { AnalysisTarget } from '../target.js'
import { runTradeScenario, type TradeDependencies } from '../trade/run-trade-scenario.js'
import { withinDeadline } from '../within-deadline.js'
import type { Effort, Power, Scene } from './power.js'
import type { ReadRoleMembers, RoleMembers } from './read-role-members.js'
import type { RecipeMemory } from './recipe-memory.js'
import { sweepPowers } from './sweep-powers.js'

/** What those who hold the keys can do to buyers. */
export interface PowersReport {
  /** The worst first. */
  powers: readonly Power[]
  /** What says who may call a privileged function. */
  guards: readonly Word[]
  effort: Effort
  /** What comes before every proof; absent where nothing could be tried. */
  scene?: Scene | undefined
  /** Why the sweep may lack something; `undefined` when it is complete. */
  unfinished: string | undefined
  /** It was late, and the machine was too busy for it. */
  isBusy?: boolean
  /** What was left out by a bound that many honest tokens meet as well: the verdict stands. */
  omitted?: string | undefined
}

export interface PowersDependencies extends TradeDependencies {
  recipes: RecipeMemory
  /** Without it, members of roles that stand nowhere in storage are not found. */
  readRoleMembers?: ReadRoleMembers
  /** Finds out whether work was late through the machine. */
  blame?: Blame
  /** Told when a sweep failed, which fails nothing else. */
  onSweepFailure?(error: unknown): void
}

/**
 * A warm sweep takes a quarter of a second; a caller that waits for the rest of the answer waits no
 * longer than this for a cold one.
 */
export const SWEEP_DEADLINE_MS = 5_000

/**
 * Tries every power over the target; `members` are accounts that may have roles in it, and when
 * they cannot be had, the sweep is unfinished. What could not be had is said, and the rest of the
 * answer does not wait for it.
 */
export async function checkPowers(
  dependencies: PowersDependencies,
  target: AnalysisTarget,
  state: StateSource,
  members: Promise<RoleMembers> = Promise.resolve(NO_MEMBERS),
): Promise<PowersReport> {
  const { recipes, blame, onSweepFailure = () => {} } = dependencies
  const known = recipes.recall(hashesOf(state, target.address))
  let gap: string | undefined
  let omitted: string | undefined
  const withoutMembers = (error: unknown) => {
    target.signal?.throwIfAborted()
    onSweepFailure(error)
    gap = 'who has roles in it could not be read'
    return NO_MEMBERS
  }
  const swept = await withinDeadline(
    { ms: SWEEP_DEADLINE_MS, subject: 'the powers', signal: target.signal, blame, onFailure: onSweepFailure },
    async (signal) => {
      const { accounts, areAll } = await members.catch(withoutMembers)
      if (!areAll) omitted = 'members of its roles were too many, or named too long ago, to look at all of them'
      const extra = { recipes: known, members: accounts }
      return runTradeScenario(dependencies, sweepPowers, { ...target, signal }, state, extra)
    },
  )
  if (swept.late !== undefined) return { ...nothing(swept.late), isBusy: swept.isBusy }
  const { facts, resisted } = swept.done
  if (!facts) return nothing(resisted)
  recipes.learn(facts.recipes)
  const { powers, guards, effort, scene, unfinished } = facts
  return { powers, guards, effort, scene, unfinished: unfinished || gap, omitted }
}

const NO_MEMBERS: RoleMembers = { accounts: [], areAll: true }

const nothing = (unfinished: string): PowersReport => ({
  powers: [],
  guards: [],
  effort: { calls: 0, trades: 0 },
  unfinished,
})

/**
 * Hashes of the target's code and of what its standard slots delegate to, as far as they are known.
 */
function hashesOf(state: StateSource, address: Address): Hex[] {
  const slots = [PROXY_SLOTS.implementation, PROXY_SLOTS.zeppelinImplementation, PROXY_SLOTS.proxiable]
  const implementations = slots.map((slot) => toPaddedHex((state.storage(address, slot) ?? 0n) & ADDRESS_MASK, 20))
  return [address, ...implementations].flatMap((each) => {
    const code = readStoredCode(state, each)
    return code === undefined || code.length === 0 ? [] : [hashNormalised(disassemble(code))]
  })
}
