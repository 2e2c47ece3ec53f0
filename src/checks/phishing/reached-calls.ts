import type { Inspector } from '../../evm/inspector.js'
import { type Address, bytesToHex, type Hex, wordToAddress } from '../../hex.js'
import { PULLS } from './assets.js'
import { PAYERS } from './payers.js'

/** What was seen of one place where the target calls another contract. */
export interface ReachedCall {
  /** It took from its own caller, or from what the target has. */
  isOwn: boolean
  /** It asked for what another account has. */
  isOfOthers: boolean
  /** It took something of a victim's, to the end of the call, so that the loss was looked at. */
  isTried: boolean
  /** Functions of others that it called, some of them; `0x` for plain payments. */
  asked: Set<Hex>
}

/** Which outgoing calls of the target's code were made in play, by whatever function. */
export interface ReachedCalls {
  /** Whose losses are looked at. */
  readonly victims: Set<Address>
  /** Watches one call; a new one for each. */
  watch(): Inspector<void>
  /** What was seen at a place; by the function that led there, empty for the fallback. */
  at(codeAddress: Address, pc: number): ReadonlyMap<Hex, ReachedCall>
}

const [CALL, CALLCODE, DELEGATECALL] = [0xf1, 0xf2, 0xf4]
/** Places kept: the largest routers have some hundred. */
const MAX_PLACES = 2_048
/** Functions kept of each: one that is brought along is seen among the first. */
const MAX_ASKED = 8
const NOWHERE: ReadonlyMap<Hex, ReachedCall> = new Map()

interface OpenFrame {
  /** Whose storage it uses, and who called. */
  account: Address
  sender: Address
  selector: Hex
  place: ReachedCall | undefined
  takesOf: Address | undefined
  /** Places that took from a victim before it began. */
  taken: number
}

/** Follows what the target asks of other contracts while its functions are played. */
export function createReachedCalls(target: Address): ReachedCalls {
  const places = new Map<string, Map<Hex, ReachedCall>>()
  const victims = new Set<Address>()

  const placeAt = (key: string, selector: Hex): ReachedCall | undefined => {
    const byFunction = places.get(key) ?? new Map<Hex, ReachedCall>()
    const known = byFunction.get(selector)
    if (known !== undefined) return known
    if (places.size >= MAX_PLACES) return undefined
    const made = { isOwn: false, isOfOthers: false, isTried: false, asked: new Set<Hex>() }
    places.set(key, byFunction.set(selector, made))
    return made
  }

  const watch = (): Inspector<void> => {
    let frames: OpenFrame[] = []
    let taken: ReachedCall[] = []
    let leaving: string | undefined
    return {
      opcodes: [CALL, CALLCODE, DELEGATECALL],
      onStep({ address, codeAddress, pc }) {
        leaving = address === target ? placeOf(codeAddress, pc) : undefined
      },
      onCall({ kind, depth, from, to, input }) {
        if (depth === 0) [frames, taken] = [[], []]
        const parent = frames.at(-1)
        const place =
          parent !== undefined && leaving !== undefined && kind !== 'STATICCALL' && !kind.startsWith('CREATE')
            ? placeAt(leaving, parent.selector)
            : undefined
        leaving = undefined
        const isBorrowed = kind === 'DELEGATECALL' || kind === 'CALLCODE'
        const account = isBorrowed ? from : to
        const sender = kind === 'DELEGATECALL' ? (parent?.sender ?? from) : from
        const selector = selectorIn(input)
        if (place !== undefined && place.asked.size < MAX_ASKED)
          place.asked.add(input.length < SELECTOR_BYTES ? '0x' : selector)
        const takesOf = parent?.account === target && !isBorrowed ? payerIn(input) : undefined
        if (place !== undefined && takesOf !== undefined) {
          if (takesOf === parent?.sender || takesOf === target) place.isOwn = true
          else place.isOfOthers = true
        }
        frames.push({
          account,
          sender,
          selector,
          place,
          takesOf: takesNothing(input) ? undefined : takesOf,
          taken: taken.length,
        })
      },
      onCallEnd({ error }) {
        const frame = frames.pop()
        if (frame === undefined) return
        if (error !== undefined) taken.length = frame.taken
        else if (frame.takesOf !== undefined && victims.has(frame.takesOf))
          taken.push(...[...frames, frame].flatMap(({ place }) => place ?? []))
        if (frames.length > 0 || error !== undefined) return
        for (const place of taken) place.isTried = true
      },
      finish() {},
    }
  }

  return { victims, watch, at: (codeAddress, pc) => places.get(placeOf(codeAddress, pc)) ?? NOWHERE }
}

const placeOf = (codeAddress: Address, pc: number) => `${codeAddress} ${pc}`

const SELECTOR_BYTES = 4
const WORD_BYTES = 32

const selectorIn = (input: Uint8Array): Hex => bytesToHex(input.subarray(0, SELECTOR_BYTES))

/** Whose assets the call takes; absent where it takes none. */
function payerIn(input: Uint8Array): Address | undefined {
  if (input.length < SELECTOR_BYTES + WORD_BYTES) return undefined
  const at = PAYERS.get(selectorIn(input))
  return at === undefined ? undefined : wordToAddress(wordAt(input, at))
}

/** An amount of zero shows nothing of what would be lost. */
function takesNothing(input: Uint8Array): boolean {
  const amount = PULLS[selectorIn(input)]?.amount
  return amount !== undefined && wordAt(input, amount) === 0n
}

function wordAt(input: Uint8Array, index: number): bigint {
  const start = SELECTOR_BYTES + index * WORD_BYTES
  const bytes = input.subarray(start, start + WORD_BYTES)
  return bytes.length < WORD_BYTES ? 0n : BigInt(bytesToHex(bytes))
}
