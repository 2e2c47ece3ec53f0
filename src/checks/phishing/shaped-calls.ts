import { callData } from '../../dex/read-contract.js'
import { type Address, bytesToHex, type Hex, hexToBytes, wordToAddress } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { type Holding, portionOf } from './assets.js'
import { findSources, type Produce, type Sources, solveBytes } from './byte-sources.js'
import { type Filling, fillings } from './fillings.js'
import { createOutgoingCallInspector, type OutgoingCall } from './outgoing-call.js'
import type { PhishingFinding } from './phishing-facts.js'
import { CALL_GAS } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import { supply } from './supplies.js'
import { type By, tryCall } from './try-call.js'
import type { UnexplainedCall } from './unexplained-calls.js'

/** `transferFrom(address,address,uint256)`, its selector and its three words. */
const TRANSFER_FROM: Hex = '0x23b872dd'
const PULL_BYTES = 100
const ADDRESS_BYTES = 20
/** A function and two accounts, with the zeros before them and without; and an amount. */
const NAMED_BYTES = 68
const LEAST_NAMED = 44
const LEAST_AMOUNT = 12
const SELECTOR_BYTES = 4
/** Ways of filling the arguments whose bytes are followed. */
const MAX_FOLLOWED = 24
/** Gas of all calls that are played: some 300 that copy a list. */
const MAX_GAS = 12_000_000n
/** Places of a contract. */
const MAX_PLACES = 4
/** Holders that are tried. */
const MAX_HOLDERS = 2

/** What is tried at one place, by one caller. */
interface Trial extends Filling {
  entry: EntryPoint
  caller: Address
  by: By
}

/**
 * Tries places that could take what others have approved, and that no call so far has shown to:
 * looks which bytes that the caller gives come out there, wherever they are sliced, copied, turned
 * or packed in between, and has the very call come out that would take from the victim. All of them
 * are tried: what any address can do at one hides nothing of what its masters can at another.
 */
export function tryShaped(stage: Stage, places: readonly UnexplainedCall[], holders: Iterable<Address>): void {
  const callers: { caller: Address; by: By }[] = [
    { caller: stage.outsider, by: 'anyone' },
    ...[...holders].slice(0, MAX_HOLDERS).map((caller) => ({ caller, by: 'holder' as const })),
  ]
  let gasLeft = MAX_GAS
  const play = (place: UnexplainedCall, trial: Trial): OutgoingCall | undefined => {
    if (gasLeft <= 0n) return undefined
    const { call, gasUsed } = outgoing(stage, trial, place)
    gasLeft -= gasUsed
    return call
  }
  for (const place of places.slice(0, MAX_PLACES)) {
    const entries = stage.entries.filter(({ selector }) => selector === place.selector)
    callers.some((who) =>
      entries.some((entry) => {
        let followed = 0
        for (const filling of fillings(stage, entry, PULL_BYTES)) {
          if (followed >= MAX_FOLLOWED || gasLeft <= 0n) return false
          const trial = { ...filling, ...who, entry }
          const call = play(place, trial)
          if (call === undefined || !isFilled(call)) continue
          followed += 1
          const shaped = shape(stage, trial, call, (tried) => play(place, tried))
          if (shaped !== undefined && takes(stage, shaped)) return true
        }
        return false
      }),
    )
  }
}

/** Whether a pull has room in the call, and what was brought stands there, and not zeros alone. */
const isFilled = ({ input, inputBytes }: OutgoingCall): boolean =>
  inputBytes >= PULL_BYTES &&
  isBrought(input.subarray(0, NAMED_BYTES), LEAST_NAMED) &&
  isBrought(input.subarray(NAMED_BYTES), LEAST_AMOUNT)

const isBrought = (bytes: Uint8Array, least: number): boolean => bytes.filter((byte) => byte !== 0).length >= least

function outgoing(
  stage: Stage,
  { entry, data, supplied, caller }: Trial,
  { address, pc }: UnexplainedCall,
): { call: OutgoingCall | undefined; gasUsed: bigint } {
  const { fork, target, marks, victim, outsider, thief } = stage
  // It is asked nothing but what goes out.
  const standIn = [...marks.addresses].at(-1) ?? target
  const tokens = victim.holdings.map(({ token }) => token)
  const familiar = new Set([...marks.addresses, ...tokens, target, victim.address, outsider, thief])
  const watch = createOutgoingCallInspector(
    { account: target, codeAddress: address, pc },
    { standIn, familiar, keptBytes: PULL_BYTES },
  )
  const { gasUsed } = branch(fork, () => {
    supplyAll(stage, supplied)
    return fork.evm.read({ from: caller, to: entry.at ?? target, data, gas: Number(CALL_GAS) }, [watch])
  })
  return { call: watch.finish(), gasUsed }
}

/** Has the made-up accounts bring the bytes, but for the one that is called in others' stead. */
function supplyAll({ fork, marks }: Stage, supplied: Filling['supplied']): void {
  if (supplied !== undefined) supply(fork, [...marks.addresses].slice(0, -1), supplied)
}

/** The trial by which a pull from the victim goes out; `undefined` where nothing chooses it. */
function shape(
  stage: Stage,
  trial: Trial,
  call: OutgoingCall,
  play: (trial: Trial) => OutgoingCall | undefined,
): Trial | undefined {
  const { marks, victim, thief } = stage
  const data = hexToBytes(trial.data)
  const given = Uint8Array.from([...data, ...(trial.supplied?.bytes ?? [])])
  const trialOf = (bytes: Uint8Array): Trial => ({
    ...trial,
    data: bytesToHex(bytes.subarray(0, data.length)),
    supplied: trial.supplied && { ...trial.supplied, bytes: bytes.subarray(data.length) },
  })
  const produce: Produce = (bytes) => {
    const made = play(trialOf(bytes))
    if (made === undefined || made.inputBytes < PULL_BYTES) return undefined
    return Uint8Array.from([...hexToBytes(made.to), ...made.input])
  }
  const named = addressSources(trial.data, call.to)
  // Who brings bytes is not changed with them.
  const isFixed = (piece: Uint8Array) => named.length > 0 && marks.isMark(wordToAddress(BigInt(bytesToHex(piece))))
  const sources = findSources(given, produce, { first: SELECTOR_BYTES, isFixed })
  for (const [at, source] of named) if (!sources.has(at)) sources.set(at, source)
  const holding = holdingFor(stage, sources, call.to)
  if (holding === undefined) return undefined
  const pull = callData(TRANSFER_FROM, [victim.address, thief, portionOf(holding)])
  const wanted = [...hexToBytes(holding.token), ...hexToBytes(pull)]
  const solved = solveBytes(given, wanted, { sources, produce })
  return solved && trialOf(solved)
}

/** Bytes of the called address, where it stands in the data as it is. */
function addressSources(data: Hex, to: Address): [at: number, source: number][] {
  const place = data.indexOf(to.slice(2))
  if (place < 0 || place % 2 !== 0) return []
  return Array.from({ length: ADDRESS_BYTES }, (_, i) => [i, (place - 2) / 2 + i])
}

/** What is to be taken: anything, where the caller chooses who is called. */
function holdingFor({ victim }: Stage, sources: Sources, to: Address): Holding | undefined {
  const isChosen = Array.from({ length: ADDRESS_BYTES }, (_, i) => i).every((at) => sources.has(at))
  return victim.holdings.find(({ kind, token }) => kind === 'erc20' && (isChosen || token === to))
}

/** Whether the call that was shaped takes from the victim. */
function takes(stage: Stage, { entry, data, supplied, caller, by }: Trial): boolean {
  const { findings, invitation } = stage
  const before = findings.length
  const digits = 2 + 2 * (entry.selector === undefined ? 0 : SELECTOR_BYTES)
  const template = { leaves: [], encode: (): Hex => `0x${data.slice(digits)}` }
  const isHarmful = branch(stage.fork, () => {
    supplyAll(stage, supplied)
    return tryCall(stage, { entry: { ...entry, template }, marks: [], caller, by }).isHarmful
  })
  // What was shaped is its caller's, and no word of the code's own.
  stage.invitation = invitation
  if (!isHarmful) return false
  findings.push(...findings.splice(before).map((finding) => asExecutor(finding, by)))
  return true
}

/** It took because its caller said so, byte by byte. */
export function asExecutor(finding: PhishingFinding, by: By): PhishingFinding {
  if (finding.check !== 'allowance') return finding
  return by === 'anyone'
    ? { ...finding, id: 'open-executor', check: undefined }
    : { ...finding, id: 'guarded-executor' }
}
