import type { Address } from '../../hex.js'
import { delegatesOf } from './delegates-of.js'
import { findGuards } from './guard-holders.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { probeAsVictim } from './probe-as-victim.js'
import { type EntryPoint, readEntryPoints } from './read-functions.js'
import { tryCall } from './try-call.js'

/** Contracts that have a power over the target, and functions of each. */
const MAX_OPERATORS = 2
const MAX_FUNCTIONS = 40

/**
 * Where a contract can take what is approved to the target: calls that contract's functions as any
 * address, as its own masters, and as the victim. What it was seen to use its power for, and harmed
 * no victim by, is no finding any more.
 */
export function followOperators(stage: Stage, notes: EntryNotes): void {
  const isOfContract = ({ id }: Stage['findings'][number]) => id === 'operator-is-contract'
  const operators = new Set(stage.findings.filter(isOfContract).flatMap(({ caller }) => caller ?? []))
  for (const operator of [...operators].slice(0, MAX_OPERATORS)) {
    const before = stage.findings.length
    const isExplained = follow(stage, operator, notes)
    const isHarmful = stage.findings.slice(before).some(({ check }) => check !== undefined)
    if (!isExplained && !isHarmful) continue
    const rest = stage.findings.filter((finding) => !(isOfContract(finding) && finding.caller === operator))
    stage.findings.splice(0, stage.findings.length, ...rest)
  }
}

/** Whether it was seen to take something by the target at all. */
function follow(stage: Stage, operator: Address, notes: EntryNotes): boolean {
  const { fork, marks, outsider, target } = stage
  let isExplained = false
  for (const entry of entriesOf(stage, operator)) {
    const call = { entry, marks: marks.valuesFor(entry.template) }
    const asOutsider = tryCall(stage, { ...call, caller: outsider, by: 'anyone' })
    if (asOutsider.leads.pulls.length > 0) isExplained = true
    if (asOutsider.isHarmful) return true
    const ignored = new Set([...marks.addresses, target, operator, outsider, stage.victim.address, stage.thief])
    const { holders } = findGuards(fork, asOutsider.attempt, ignored)
    const masters = holders.filter((holder) => fork.evm.code(holder).length === 0)
    if (masters.some((caller) => tryCall(stage, { ...call, caller, by: 'holder' }).isHarmful)) return true
    const found = stage.findings.length
    probeAsVictim(stage, entry, notes)
    if (stage.findings.length > found) return true
  }
  return isExplained
}

/** Functions of another contract than the target. */
export function entriesOf({ fork }: Stage, operator: Address): EntryPoint[] {
  const { evm } = fork
  const codes = [operator, ...delegatesOf(fork, operator)]
  const found = codes.flatMap((at) => readEntryPoints(evm.code(at), evm.account(at).codeHash).entries)
  return found.slice(0, MAX_FUNCTIONS).map((entry) => ({ ...entry, at: operator }))
}
