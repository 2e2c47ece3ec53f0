import type { Address } from '../../hex.js'
import { dataOf, type Values } from './call-data.js'
import { delegatesOf } from './delegates-of.js'
import { type Act, dependsOn, mastersAmong, SPARE_PLAYS } from './deposit-acts.js'
import { type Deposit, numberOf, numbersIn } from './exits.js'
import { entriesOf } from './follow-operators.js'
import { findGuards } from './guard-holders.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { ownAccounts } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'

/** Contracts that decide, and functions of each. */
const MAX_CONTRACTS = 2
const MAX_FUNCTIONS = 24
/** What their masters can change of it. */
const MAX_ACTS = 6

type Reads = Outcome['storage']['reads']

/**
 * Calls of other contracts whose words decide over calls of the target: catalogues of strategies,
 * registries of roles, foreign switches. By the accounts that those contracts obey, or by any
 * address. `deciding`: what was read on the way in calls of the target.
 */
export function actsElsewhere(stage: Stage, deposit: Deposit, deciding: readonly Reads[]): Act[] {
  const found: Act[] = []
  for (const at of contractsIn(stage, deposit, deciding)) {
    for (const entry of entriesOf(stage, at).slice(0, MAX_FUNCTIONS)) {
      if (found.length >= MAX_ACTS || stage.left < SPARE_PLAYS) return found
      if (entry.selector === undefined || entry.isReadOnly) continue
      found.push(...actsOf(stage, deposit, { ...entry, at }, deciding))
    }
  }
  return found
}

/** Tokens decide over nothing here: what they do to their holders is judged elsewhere. */
function contractsIn({ fork, target, victim }: Stage, { holding }: Deposit, deciding: readonly Reads[]): Address[] {
  const own = new Set([
    target,
    ...delegatesOf(fork, target),
    holding?.token,
    ...victim.holdings.map(({ token }) => token),
  ])
  const read = new Set(deciding.flatMap((reads) => [...reads.keys()]))
  return [...read].filter((each) => !own.has(each) && fork.evm.code(each).length > 0).slice(0, MAX_CONTRACTS)
}

function actsOf(
  stage: Stage,
  deposit: Deposit,
  entry: EntryPoint & { at: Address },
  deciding: readonly Reads[],
): Act[] {
  const { fork, secondOutsider, target } = stage
  const play = (from: Address, by: Act['by'], values: Values): Act => {
    const attempt = { from, to: entry.at, data: dataOf(entry, values) }
    return { entry, attempt, by, outcome: stage.play(attempt) }
  }
  const acts = waysToName(stage, deposit, entry).flatMap((values) => {
    const open = play(secondOutsider, 'anyone', values)
    if (open.outcome.success) return [open]
    const { holders } = findGuards(
      fork,
      open.attempt,
      new Set([...ownAccounts(stage), target, entry.at, secondOutsider]),
    )
    return mastersAmong(stage, holders).map((from) => play(from, 'holder', values))
  })
  const done = acts.filter(({ outcome }) => outcome.success)
  // With what changes a word comes what takes that back, and finds nothing to change yet.
  return done.some(({ outcome }) => deciding.some((reads) => dependsOn(reads, outcome))) ? done : []
}

/** Accounts as calls of the target name them; switches on, and off again. */
function waysToName(stage: Stage, deposit: Deposit, { template }: EntryPoint): Values[] {
  const { leaves } = template
  const marks = stage.marks.valuesFor(template)
  const counts = numbersIn(template)
  const fill = (account: bigint | undefined, flag: bigint): Values =>
    leaves.map(({ type }, i) => {
      if (type === 'address') return account ?? marks[i] ?? 0n
      if (type === 'bool') return flag
      return counts.includes(i) ? numberOf(stage, deposit) * flag : (marks[i] ?? 0n)
    })
  const has = (...types: string[]) => leaves.some(({ type }) => types.includes(type))
  return [
    fill(undefined, 1n),
    ...(has('address') ? [fill(BigInt(stage.thief), 1n)] : []),
    ...(has('bool') || counts.length > 0 ? [fill(undefined, 0n)] : []),
  ]
}
