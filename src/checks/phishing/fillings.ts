import { type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import { dataOf } from './call-data.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import type { Supplied } from './supplies.js'

/** Ways of filling the arguments of one function. */
const MAX_FILLINGS = 120
/** Elements of lists, and bytes of what has no length of its own: enough for a call inside. */
const ITEMS = [1, 5, 'bytes'] as const
const BYTES = [136, 288] as const
/** Data of one filling in so many go on behind the arguments. */
const TAILED = 4
const WORD_BYTES = 32

/** Bytes, so that code goes on that reads places, choices or lengths of runs in them. */
type Content = (byte: number, at: number) => number
const DENSE: Content = (byte) => byte | 1
const CONTENTS: readonly Content[] = [
  DENSE,
  (byte, at) => (at < 4 ? byte & 3 : byte | 1),
  (byte) => byte & 3,
  (byte, at) => (at % 2 === 0 ? 1 : byte | 1),
]

/** What a caller brings: call data, and bytes that the accounts which it names bring. */
export interface Filling {
  data: Hex
  supplied: Supplied | undefined
}

/** In turn: most code reads the call data. */
const SUPPLIES: readonly (Supplied['how'] | undefined)[] = [undefined, 'code', undefined, 'answer', undefined, 'bytes']

/**
 * Call data of a function, filled in ways of all kinds: small numbers, places and lengths about
 * `size` bytes, and words and bytes without a pattern.
 */
export function* fillings({ random, marks }: Stage, entry: EntryPoint, size: number): Generator<Filling> {
  const lengths = [size, size + WORD_BYTES].map(BigInt)
  const pick = <T>(label: string, all: readonly T[]): T =>
    all[Number(random.between(`filling ${label}`, 0n, BigInt(all.length - 1)))] as T
  const bytes = (label: string) => bytesOf(random, label, { length: BYTES[0], content: DENSE })
  const seen = new Set<string>()
  for (let i = 0; i < MAX_FILLINGS; i += 1) {
    const template = entry.template.withItems?.(ITEMS[i % ITEMS.length] ?? 1) ?? entry.template
    const dense = marks.valuesFor(template, { isDense: true })
    const values = template.leaves.map(({ type, isItem }, leaf) => {
      // What a list has is of one kind.
      const label = `${i} ${isItem ? type : leaf}`
      const value = dense[leaf] ?? 0n
      if (type === 'bytes')
        return bytesOf(random, label, { length: pick(`${label} bytes`, BYTES), content: pick(label, CONTENTS) })
      if (!/^u?int/.test(type)) return value
      // Half of them are of wide words mostly: a call may be packed of four.
      const choices = [BigInt(leaf + 1), pick(`${label} length`, lengths), value]
      return pick(label, [...(isItem ? [value] : []), ...(i % 2 === 0 ? [value, value] : []), ...choices])
    })
    const written = dataOf({ ...entry, template }, values)
    // Code may read on behind the arguments that it has.
    const data = i % TAILED === 0 ? (`${written}${bytes('tail').slice(2)}` as const) : written
    const how = template.leaves.some(({ type }) => type === 'address') ? SUPPLIES[i % SUPPLIES.length] : undefined
    const key = `${data} ${how}`
    if (seen.has(key)) continue
    seen.add(key)
    yield { data, supplied: how && { how, bytes: hexToBytes(bytes('supply')) } }
  }
}

function bytesOf(random: SeededRandom, label: string, { length, content }: { length: number; content: Content }): Hex {
  const words = Array.from({ length: Math.ceil(length / WORD_BYTES) }, (_, i) =>
    toPaddedHex(random.between(`filling ${label} word ${i}`, 0n, 2n ** 256n - 1n), WORD_BYTES).slice(2),
  )
  const bytes = Buffer.from(words.join(''), 'hex').subarray(0, length).map(content)
  return `0x${Buffer.from(bytes).toString('hex')}`
}
