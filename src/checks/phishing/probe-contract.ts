import { readDesignator } from '../../bytecode/proxy.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import type { Address } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { probeCallbacks } from './callbacks.js'
import { delegatesOf } from './delegates-of.js'
import { judgeDeposits } from './deposits.js'
import { takesThing } from './exits.js'
import { followOperators } from './follow-operators.js'
import { withInvitation } from './invitations.js'
import { findLureText } from './lure-text.js'
import { mayAsk } from './pass-refusals.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import { createStage, type Stage, TooManyPlaysError } from './phishing-stage.js'
import { probeAccount } from './probe-account.js'
import { probeAdvisers } from './probe-advisers.js'
import { probeAgreements } from './probe-agreements.js'
import { createNotes, type EntryNotes, probeAsOthers, probeListed, probeRefused } from './probe-as-others.js'
import { bringThing, probeAsVictim } from './probe-as-victim.js'
import { probeLater } from './probe-later.js'
import { probeModule } from './probe-module.js'
import { probeOrders } from './probe-orders.js'
import { probePrepared } from './probe-prepared.js'
import { probeSetUp } from './probe-set-up.js'
import { readQuietFunctions } from './quiet-functions.js'
import { type EntryPoint, type EntryPoints, readEntryPoints, TOKEN_CALLS } from './read-functions.js'
import { tryShaped } from './shaped-calls.js'
import { type Call, isHarm } from './try-call.js'
import { describeUnexplained, unexplainedCalls } from './unexplained-calls.js'

/**
 * Calls every function of a contract as its victims and as its masters, and sees what moves. An
 * account can be the victim itself, as it is to lose what it has by the code that it runs.
 */
export function probeContract(
  fork: Fork,
  target: Address,
  random: SeededRandom,
  { isOwn = false }: { isOwn?: boolean } = {},
): PhishingFacts {
  const { evm } = fork
  const { balance, nonce } = evm.account(target)
  const code = evm.code(target)
  if (code.length === 0) {
    return { ...NOTHING_SEEN, kind: 'empty', isUnused: balance === 0n && nonce === 0n }
  }
  const delegate = readDesignator(code)
  const { entries, isCut, callsOthers } = collectEntries(fork, target, delegate)
  const tokens = fork.chain.watchedTokens
    .filter(({ address }) => address !== target)
    .map(({ address, symbol, decimals }) => ({ token: address, symbol, decimals }))
  const stage = createStage(fork, random, { target, tokens, entries, callsOthers, isOwn })
  noteLure(stage)
  const gaps = [...(isCut ? ['not all functions could be read'] : []), ...tryEverything(stage, delegate)]
  return {
    kind: delegate === undefined ? 'contract' : 'account',
    isUnused: false,
    delegate,
    findings: stage.findings.map((finding) =>
      delegate === undefined ? withInvitation(stage, finding) : ofAccount(finding),
    ),
    gaps,
    omitted: omittedOf(stage),
    plays: stage.plays,
  }
}

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

/** What many honest contracts have more of than is tried. */
function omittedOf({ unasked, isCut }: Stage): string | undefined {
  const said = [
    ...(unasked > 0 ? [`${unasked} calls that were refused were not asked for their reason`] : []),
    ...(isCut ? ['not everything that others can make of deposits was tried'] : []),
  ]
  return said.length > 0 ? said.join('; ') : undefined
}

const NOTHING_SEEN = { delegate: undefined, findings: [], gaps: [], plays: 0 }

/** Runs all probes until one of the bounds is met. What was found until then stands. */
function tryEverything(stage: Stage, delegate: Address | undefined): string[] {
  try {
    return probeAll(stage, delegate)
  } catch (error) {
    if (error instanceof AnalysisResistedError) return [error.shortMessage]
    if (error instanceof TooManyPlaysError) return ['Analysis resisted: functions']
    throw error
  }
}

function probeAll(stage: Stage, delegate: Address | undefined): string[] {
  const notes = createNotes()
  // Made on a branch, it would be taken back with it; what calls no others gives nothing away.
  if (stage.callsOthers) stage.twin()
  const refused: Call[] = []
  const [token] = stage.victim.holdings
  let spent = 0
  // A contract sends no transaction to itself.
  const mayCall = !stage.isOwn || delegate !== undefined
  for (const entry of stage.entries) {
    // Code that counts up to a number it is given runs dry over a large one; code that runs dry
    // over any number hides something.
    const probed = probeAsOthers(stage, entry, notes)
    const isSmall = probed.isSpent
    refused.push(...(probed.refused ?? []))
    if (isSmall && probeAsOthers(stage, entry, notes, { isSmall }).isSpent) spent += 1
    else if (mayCall) probeAsVictim(stage, entry, notes, { isSmall })
  }
  if (stage.isOwn && !isProven(stage)) probeAccount(stage, notes)
  // What calls no other contract takes nothing that others keep.
  if (!stage.callsOthers) return gapsOf(spent)
  if (!isProven(stage)) askRefused(stage, refused, notes)
  if (!isProven(stage)) probeLater(stage, notes)
  if (!isProven(stage) && !stage.isOwn) probePrepared(stage, notes)
  if (!isProven(stage) && token !== undefined) probeWithKnown(stage, notes, token.token)
  if (!stage.isOwn) followOperators(stage, notes)
  probeCallbacks(stage)
  if (!stage.isOwn && !isProven(stage)) probeModule(stage, notes)
  if (!stage.isOwn && !isProven(stage)) probeOrders(stage, notes)
  if (!stage.isOwn) judgeDeposits(stage, notes)
  if (!stage.isOwn && !isProven(stage)) probeAgreements(stage, notes)
  if (!stage.isOwn && !isProven(stage)) probeSetUp(stage, notes)
  if (!stage.isOwn && !isProven(stage)) probeAdvisers(stage, notes)
  // What an account runs takes from no other: what it allows others is tried elsewhere.
  return [...gapsOf(spent), ...(delegate === undefined && !stage.isOwn ? lookAgain(stage, notes) : [])]
}

/** What remains unexplained after a closer look at the functions that lead there. */
function lookAgain(stage: Stage, notes: EntryNotes): string[] {
  if (isProven(stage)) return []
  const left = unexplainedCalls(stage)
  if (left.length === 0) return describeUnexplained(stage, [])
  const entries = stage.entries.filter((entry) => left.some(({ selector }) => selector === entry.selector))
  for (const name of [undefined, stage.outsider, stage.victim.address]) {
    stage.questions = 0
    probeLater(stage, notes, { entries, name })
    if (isProven(stage)) return []
  }
  tryShaped(stage, unexplainedCalls(stage), notes.holders)
  return isProven(stage) ? [] : describeUnexplained(stage, unexplainedCalls(stage))
}

/** Up to here all refusals are asked for their reason; reading the code costs more than that. */
const FEW_REFUSALS = 12

/**
 * Asks refusals for their reason, until one of them does harm; those beyond the bound are counted.
 */
function askRefused(stage: Stage, refused: readonly Call[], notes: EntryNotes): void {
  const calls = worthAsking(stage, refused)
  for (const [i, call] of calls.entries()) {
    if (!mayAsk(stage)) {
      stage.unasked = calls.length - i
      return
    }
    if (probeRefused(stage, call, notes) || probeListed(stage, call, notes)) return
  }
}

/** Refusals that may hide that something is taken. */
function worthAsking({ fork, target }: Stage, refused: readonly Call[]): readonly Call[] {
  if (refused.length <= FEW_REFUSALS) return refused
  const quiet = readQuietFunctions(fork, [target, ...delegatesOf(fork, target)])
  return refused.filter(({ entry }) => entry.selector === undefined || !quiet.has(entry.selector))
}

/** Some contracts take nothing but tokens they know. */
function probeWithKnown(stage: Stage, notes: EntryNotes, first: Address): void {
  for (const entry of stage.entries) {
    if (notes.views.has(entry) || !entry.template.leaves.some(({ type }) => type === 'address')) continue
    probeAsOthers(stage, entry, notes, { first })
    if (!stage.isOwn) probeAsVictim(stage, entry, notes, { first })
  }
  const { nftId, holdings } = stage.victim
  const nft = holdings.find(({ kind }) => kind === 'nft')
  if (nft === undefined || stage.isOwn) return
  for (const entry of stage.entries)
    if (!notes.views.has(entry) && takesThing(entry) && !isTokenCall(entry))
      bringThing(stage, entry, notes, { first: nft.token, id: nftId })
}

const isTokenCall = ({ selector }: EntryPoint) => selector !== undefined && TOKEN_CALLS.has(selector)

const gapsOf = (spent: number) => (spent > 0 ? [`Analysis resisted: gas of ${spent} functions`] : [])

const isProven = ({ findings }: Stage) => findings.some((finding) => isHarm(finding) && finding.check !== 'native')

/**
 * The functions of the code that runs at the address: its own, and those of whatever it passes
 * unknown calls on to.
 */
function collectEntries(fork: Fork, target: Address, delegate: Address | undefined): EntryPoints {
  const { evm } = fork
  const codes = delegate === undefined ? [target, ...delegatesOf(fork, target)] : [delegate]
  const found = codes.map((address) => readEntryPoints(evm.code(address), evm.account(address).codeHash))
  const entries = new Map<string, EntryPoint>()
  for (const entry of found.flatMap((each) => each.entries)) {
    entries.set(entry.selector ?? `fallback ${entry.template.leaves.map(({ type }) => type)}`, entry)
  }
  const callsOthers = found.some((each) => each.callsOthers)
  return { entries: [...entries.values()], isCut: found.some(({ isCut }) => isCut), callsOthers }
}
