import { readDesignator } from '../../bytecode/proxy.js'
import { createCallTraceInspector as createTrace } from '../../evm/inspectors/call-trace.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../../hex.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { framesOf } from './leads.js'
import { findLureText } from './lure-text.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import { createStage, type Stage, TooManyPlaysError } from './phishing-stage.js'
import { probeAsVictim } from './probe-as-victim.js'
import { type EntryNotes, probeAfterRegistration, probeAsOthers } from './probe-entry.js'
import { type EntryPoint, type EntryPoints, readEntryPoints } from './read-functions.js'
import { findWithdrawBait } from './withdraw-bait.js'

export interface PhishingInput {
  address: Address
  /** Unguessable, and the same each time this report is computed. */
  seed: Hex
}

/** Calls every function of a contract as its victims and as its masters, and sees what moves. */
export const probeTarget = defineScenario({
  module: import.meta.url,
  name: 'probeTarget',
  run(fork, { address: target, seed }: PhishingInput): PhishingFacts {
    const { evm } = fork
    const { balance, nonce } = evm.account(target)
    const code = evm.code(target)
    if (code.length === 0) {
      return { ...NOTHING_SEEN, kind: 'empty', isUnused: balance === 0n && nonce === 0n }
    }
    const delegate = readDesignator(code)
    const { entries, isCut } = collectEntries(fork, target, delegate)
    const tokens = fork.chain.watchedTokens
      .filter(({ address }) => address !== target)
      .map(({ address, symbol, decimals }) => ({ token: address, symbol, decimals }))
    const stage = createStage(fork, createSeededRandom(seed), { target, tokens, entries })
    noteLure(stage)
    const gaps = [...(isCut ? ['not all functions could be read'] : []), ...tryEverything(stage)]
    return {
      kind: delegate === undefined ? 'contract' : 'account',
      isUnused: false,
      delegate,
      findings: stage.findings.map((finding) => (delegate === undefined ? finding : ofAccount(finding))),
      gaps,
      plays: stage.plays,
    }
  },
})

/**
 * What a contract does with coins, an account does that has delegated to such code: only a thief
 * has it do so.
 */
function ofAccount(finding: PhishingFinding): PhishingFinding {
  return finding.check === 'native' ? { ...finding, id: 'delegation-sweeper' } : finding
}

function noteLure({ fork, target, findings }: Stage): void {
  const text = findLureText(fork, target)
  if (text === undefined) return
  const nothing = { asset: undefined, amount: undefined, to: undefined, grantedTo: undefined, trace: undefined }
  findings.push({
    id: 'lure-text',
    check: undefined,
    selector: undefined,
    by: 'anyone',
    caller: undefined,
    ...nothing,
    text,
  })
}

const NOTHING_SEEN = { delegate: undefined, findings: [], gaps: [], plays: 0 }

/** Runs all probes until one of the bounds is met. What was found until then stands. */
function tryEverything(stage: Stage): string[] {
  try {
    return probeAll(stage)
  } catch (error) {
    if (error instanceof AnalysisResistedError) return [error.shortMessage]
    if (error instanceof TooManyPlaysError) return ['Analysis resisted: functions']
    throw error
  }
}

function probeAll(stage: Stage): string[] {
  const notes: EntryNotes = { holders: new Set(), registrations: [], deposits: [] }
  const [token] = stage.victim.holdings
  let spent = 0
  for (const entry of stage.entries) {
    // Code that counts up to a number it is given runs dry over a large one; code that runs dry
    // over any number hides something.
    const isSmall = probeAsOthers(stage, entry, notes).isSpent
    if (isSmall && probeAsOthers(stage, entry, notes, { isSmall }).isSpent) spent += 1
    else probeAsVictim(stage, entry, notes, { isSmall })
  }
  if (notes.registrations.length > 0 && !isProven(stage)) probeAfterRegistration(stage, notes)
  findWithdrawBait(stage, notes)
  const gaps = spent > 0 ? [`Analysis resisted: gas of ${spent} functions`] : []
  if (isProven(stage) || token === undefined) return gaps
  // Some contracts take nothing but tokens they know.
  for (const entry of stage.entries) {
    if (!entry.template.leaves.some(({ type }) => type === 'address')) continue
    probeAsOthers(stage, entry, notes, { first: token.token })
    probeAsVictim(stage, entry, notes, { first: token.token })
  }
  return gaps
}

const isProven = ({ findings }: Stage) => findings.some(({ check }) => check !== undefined && check !== 'native')

/** A selector that no contract has, to see where unknown calls go. */
const UNKNOWN_CALL: Hex = '0x7f9d3b11'
/** Proxy, beacon, and a library or two. */
const MAX_DELEGATES = 4

/**
 * The functions of the code that runs at the address: its own, and those of whatever it passes
 * unknown calls on to.
 */
function collectEntries({ evm }: Fork, target: Address, delegate: Address | undefined): EntryPoints {
  const codes = delegate === undefined ? [target, ...proxyTargets(evm, target)] : [delegate]
  const found = codes.map((address) => readEntryPoints(evm.code(address), evm.account(address).codeHash))
  const entries = new Map<string, EntryPoint>()
  for (const entry of found.flatMap((each) => each.entries)) {
    entries.set(entry.selector ?? `fallback ${entry.template.leaves.length}`, entry)
  }
  return { entries: [...entries.values()], isCut: found.some(({ isCut }) => isCut) }
}

function proxyTargets(evm: Fork['evm'], target: Address): Address[] {
  const found = new Set<Address>()
  const trace = createTrace()
  evm.read({ from: ZERO_ADDRESS, to: target, data: UNKNOWN_CALL }, [trace])
  for (const { type, to } of framesOf(trace.finish())) {
    if (type === 'DELEGATECALL' && to !== undefined && to !== target) found.add(to)
  }
  return [...found].slice(0, MAX_DELEGATES)
}
