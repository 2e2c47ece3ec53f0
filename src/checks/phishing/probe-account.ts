import type { Hex } from '../../hex.js'
import type { Holding } from './assets.js'
import { signLeads, VOID } from './attack-signatures.js'
import { parseArguments } from './call-arguments.js'
import { dataOf, type Values } from './call-data.js'
import { isEntryPoint } from './entry-points.js'
import { readLeads } from './leads.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { tryCall } from './try-call.js'

/**
 * What only an account can lose whose own code this is: strangers ask it for each thing that it
 * has, by the names of these things; ask whether it signed what it never saw; and have it call
 * itself.
 */
export function probeAccount(stage: Stage, notes: EntryNotes): void {
  const probes = [askForAssets, askForConsent, askToCallItself]
  for (const probe of probes) if (probe(stage, notes)) return
}

/** Functions tried, and values of each. */
const MAX_FUNCTIONS = 32
const MAX_VALUES = 12
/** Base units: less than there is of any token. */
const AMOUNT = 1_000_003n

const entriesOf = ({ entries }: Stage, { views }: EntryNotes) =>
  entries.filter((entry) => !views.has(entry)).slice(0, MAX_FUNCTIONS)

/** Whether any address, or a master that is no contract, has one of the assets. */
function askForAssets(stage: Stage, notes: EntryNotes): boolean {
  const { outsider, fork } = stage
  const masters = [...notes.holders].filter((each) => fork.evm.code(each).length === 0 && !isEntryPoint(each))
  const callers = [
    { caller: outsider, by: 'anyone' as const },
    ...masters.map((caller) => ({ caller, by: 'holder' as const })),
  ]
  return entriesOf(stage, notes).some((entry) =>
    namedAssets(stage, entry).some((marks) =>
      callers.some((who) => tryCall(stage, { ...who, entry, marks }).isHarmful),
    ),
  )
}

/** Values that name a token of the account's in one place, the thief in the others. */
function namedAssets({ victim, thief, marks }: Stage, { template }: EntryPoint): Values[] {
  const base = marks.valuesFor(template)
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  const kinds = (['erc20', 'nft', 'multi'] as const).flatMap(
    (kind) => victim.holdings.find((h) => h.kind === kind) ?? [],
  )
  const fill = ({ kind, token }: Holding, place: number): Values => {
    let numbers = 0
    return template.leaves.map(({ type }, i) => {
      if (type === 'address') return i === place ? BigInt(token) : BigInt(thief)
      if (!type.startsWith('uint') || type === 'uint8') return base[i] ?? 0n
      numbers += 1
      if (kind === 'erc20') return AMOUNT
      return kind === 'nft' || numbers === 1 ? victim.nftId : 1n
    })
  }
  return kinds
    .flatMap((holding) => (places.length > 0 ? places : [-1]).map((place) => fill(holding, place)))
    .slice(0, MAX_VALUES)
}

/** `isValidSignature(bytes32,bytes)` (EIP-1271) and its first form, with what says yes. */
const CONSENTS: readonly Consent[] = [
  { selector: '0x1626ba7e', types: 'bytes32,bytes', yes: `0x1626ba7e${'0'.repeat(56)}` },
  { selector: '0x20c13b0b', types: 'bytes,bytes', yes: `0x20c13b0b${'0'.repeat(56)}` },
  // `validateUserOp` of ERC-4337, to 0.6 and from 0.7: zero says that the signature is the
  // account's.
  {
    selector: '0x3a871cdd',
    types: '(address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes),bytes32,uint256',
    yes: `0x${'0'.repeat(64)}`,
  },
  {
    selector: '0x19822f7c',
    types: '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32,uint256',
    yes: `0x${'0'.repeat(64)}`,
  },
]

interface Consent {
  selector: Hex
  types: string
  yes: Hex
}

/** Whether it says that it signed what it was never shown. */
function askForConsent(stage: Stage, { holders }: EntryNotes): boolean {
  for (const { selector, types, yes } of CONSENTS) {
    const template = parseArguments(types)
    if (template === undefined || !stage.entries.some((entry) => entry.selector === selector)) continue
    const entry = { selector, template }
    for (const from of [stage.outsider, ...holders]) {
      const outcome = unsignedValues(stage, entry, from).find(
        ({ success, trace }) => success && trace.output?.startsWith(yes) === true,
      )
      if (outcome === undefined) continue
      stage.findings.push({ ...taken(entry, outcome), caller: from })
      return true
    }
  }
  return false
}

/** What the function answers to signatures of no account: two made up, and none. */
function unsignedValues(stage: Stage, entry: EntryPoint, from: Stage['outsider']): Outcome[] {
  const ask = (values: Values) => stage.play({ from, to: stage.target, data: dataOf(entry, values) })
  const values = [...stage.marks.valuesFor(entry.template)]
  const first = ask(values)
  const isSigned = signLeads(values, readLeads(first.trace, stage.target, new Set()), VOID).includes(true)
  const empty = values.map((value) => (typeof value === 'string' ? '0x' : value))
  return [first, ...(isSigned ? [ask(values)] : []), ask(empty)]
}

const taken = ({ selector }: EntryPoint, { trace }: Outcome): PhishingFinding => {
  const nothing = { asset: undefined, amount: undefined, to: undefined, grantedTo: undefined, text: undefined }
  return { id: 'open-delegation', check: undefined, selector, by: 'anyone', caller: undefined, trace, ...nothing }
}

/** Whether a stranger has it make a call to itself that only it may make. */
function askToCallItself(stage: Stage, notes: EntryNotes): boolean {
  const { target, outsider, victim, marks } = stage
  const calls = entriesOf(stage, notes).flatMap((entry) => {
    const values = marks.valuesFor(entry.template)
    const { trace } = stage.play({ from: outsider, to: target, data: dataOf(entry, values) })
    const own = readLeads(trace, target, new Set(values.filter((value) => typeof value === 'string'))).executors
    const passed = own.find(({ to }) => to === target)
    return passed === undefined ? [] : [{ entry, values, input: passed.input }]
  })
  if (calls.length === 0) return false
  const obeyed = entriesOf(stage, notes).flatMap((entry) => ownCall(stage, entry) ?? [])
  return calls.some(({ entry, values, input }) =>
    obeyed.some((data) => {
      const given = values.map((value) => (value === input ? data : value))
      const outcome = stage.play({ from: outsider, to: target, data: dataOf(entry, given) })
      const has = victim.holdings.some(({ account, slot }) => outcome.storage.writes.get(account)?.has(slot))
      if (!outcome.success || !has) return false
      stage.findings.push({ ...taken(entry, outcome), caller: outsider })
      return true
    }),
  )
}

/** The call to the function by which the account itself gives away what it has. */
function ownCall(stage: Stage, entry: EntryPoint): Hex | undefined {
  const before = stage.findings.length
  const call = { entry, marks: stage.marks.valuesFor(entry.template), caller: stage.target, by: 'holder' as const }
  const { did } = tryCall(stage, call)
  stage.findings.splice(before)
  return did?.data
}
