import { callData } from '../../dex/read-contract.js'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { type Holding, portionOf } from './assets.js'
import { findSources, type Produce, solveBytes } from './byte-sources.js'
import { fillings } from './fillings.js'
import { createOutgoingCallInspector, type OutgoingCall } from './outgoing-call.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import { type By, tryCall } from './try-call.js'
import type { UnexplainedCall } from './unexplained-calls.js'

/** `transferFrom(address,address,uint256)`, its selector and its three words. */
const TRANSFER_FROM: Hex = '0x23b872dd'
const PULL_BYTES = 100
const ADDRESS_BYTES = 20
/** A function and two accounts, with the zeros before them and without. */
const NAMED_BYTES = 68
const LEAST_FILLED = 44
const SELECTOR_BYTES = 4
/** Ways of filling the arguments whose bytes are followed. */
const MAX_FOLLOWED = 8
/** Gas of the calls that are played for one place by one caller: some 300 that copy a list. */
const MAX_GAS = 12_000_000n
/** Holders that are tried. */
const MAX_HOLDERS = 2

/**
 * Tries a place that could take what others have approved, and that no call so far has shown to:
 * looks which bytes that the caller gives come out there, wherever they are sliced, copied, turned
 * or packed in between, and has the very call come out that would take from the victim. Whether it
 * did harm.
 */
export function tryShaped(
  stage: Stage,
  { address, pc, selector }: UnexplainedCall,
  holders: Iterable<Address>,
): boolean {
  const callers: { caller: Address; by: By }[] = [
    { caller: stage.outsider, by: 'anyone' },
    ...[...holders].slice(0, MAX_HOLDERS).map((caller) => ({ caller, by: 'holder' as const })),
  ]
  const entries = stage.entries.filter((entry) => entry.selector === selector)
  return callers.some(({ caller, by }) => {
    let gasLeft = MAX_GAS
    const play = (entry: EntryPoint, data: Hex): OutgoingCall | undefined => {
      if (gasLeft <= 0n) return undefined
      const { call, gasUsed } = outgoing(stage, { from: caller, to: entry.at ?? stage.target, data }, { address, pc })
      gasLeft -= gasUsed
      return call
    }
    return entries.some((entry) => {
      let followed = 0
      for (const data of fillings(stage, entry, PULL_BYTES)) {
        const call = play(entry, data)
        if (call === undefined || !isFilled(call)) continue
        const shaped = shape(stage, data, call, (tried) => play(entry, tried))
        if (shaped !== undefined && takes(stage, { entry, data: shaped, caller, by })) return true
        followed += 1
        if (followed >= MAX_FOLLOWED || gasLeft <= 0n) break
      }
      return false
    })
  })
}

/** Whether a pull has room in the call, and what was brought stands there, and not zeros alone. */
const isFilled = ({ input, inputBytes }: OutgoingCall): boolean =>
  inputBytes >= PULL_BYTES && input.subarray(0, NAMED_BYTES).filter((byte) => byte !== 0).length >= LEAST_FILLED

function outgoing(
  { fork, target, marks, victim, outsider, thief }: Stage,
  call: { from: Address; to: Address; data: Hex },
  { address, pc }: Pick<UnexplainedCall, 'address' | 'pc'>,
): { call: OutgoingCall | undefined; gasUsed: bigint } {
  const [standIn = target] = marks.addresses
  const tokens = victim.holdings.map(({ token }) => token)
  const familiar = new Set([...marks.addresses, ...tokens, target, victim.address, outsider, thief])
  const watch = createOutgoingCallInspector(
    { account: target, codeAddress: address, pc },
    { standIn, familiar, keptBytes: PULL_BYTES },
  )
  const { gasUsed } = branch(fork, () => fork.evm.read(call, [watch]))
  return { call: watch.finish(), gasUsed }
}

/** The data by which a pull from the victim goes out; `undefined` where nothing chooses it. */
function shape(
  stage: Stage,
  data: Hex,
  call: OutgoingCall,
  play: (data: Hex) => OutgoingCall | undefined,
): Hex | undefined {
  const given = hexToBytes(data)
  const produce: Produce = (bytes) => {
    const made = play(bytesToHex(bytes))
    if (made === undefined || made.inputBytes < PULL_BYTES) return undefined
    return Uint8Array.from([...hexToBytes(made.to), ...made.input])
  }
  const sources = findSources(given, produce, SELECTOR_BYTES)
  for (const [at, source] of addressSources(data, call.to)) if (!sources.has(at)) sources.set(at, source)
  const holding = holdingFor(stage, sources, call.to)
  if (holding === undefined) return undefined
  const { victim, thief } = stage
  const pull = callData(TRANSFER_FROM, [victim.address, thief, portionOf(holding)])
  const wanted = [...hexToBytes(holding.token), ...hexToBytes(pull)]
  const solved = solveBytes(given, wanted, { sources, produce })
  return solved && bytesToHex(solved)
}

/** Bytes of the called address, where it stands in the data as it is. */
function addressSources(data: Hex, to: Address): [at: number, source: number][] {
  const place = data.indexOf(to.slice(2))
  if (place < 0 || place % 2 !== 0) return []
  return Array.from({ length: ADDRESS_BYTES }, (_, i) => [i, (place - 2) / 2 + i])
}

/** What is to be taken: anything, where the caller chooses who is called. */
function holdingFor({ victim }: Stage, sources: ReadonlyMap<number, number>, to: Address): Holding | undefined {
  const isChosen = Array.from({ length: ADDRESS_BYTES }, (_, i) => i).every((at) => sources.has(at))
  return victim.holdings.find(({ kind, token }) => kind === 'erc20' && (isChosen || token === to))
}

/** Whether the call with that data takes from the victim. */
function takes(
  stage: Stage,
  { entry, data, caller, by }: { entry: EntryPoint; data: Hex; caller: Address; by: By },
): boolean {
  const { findings, invitation } = stage
  const before = findings.length
  const digits = 2 + 2 * (entry.selector === undefined ? 0 : SELECTOR_BYTES)
  const template = { leaves: [], encode: (): Hex => `0x${data.slice(digits)}` }
  const { isHarmful } = tryCall(stage, { entry: { ...entry, template }, marks: [], caller, by })
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
