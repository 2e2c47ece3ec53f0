import { type Hex, toPaddedHex } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import { dataOf } from './call-data.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** Ways of filling the arguments of one function. */
const MAX_FILLINGS = 120
/** Elements of lists, and bytes of what has no length of its own: enough for a call inside. */
const ITEMS = [1, 5, 'bytes'] as const
const BYTES = [136, 288]
const WORD_BYTES = 32

/** Bytes, so that code goes on that reads places, choices or lengths of runs in them. */
const CONTENTS: readonly ((byte: number, at: number) => number)[] = [
  (byte) => byte | 1,
  (byte, at) => (at < 4 ? byte & 3 : byte | 1),
  (byte) => byte & 3,
  (byte, at) => (at % 2 === 0 ? 1 : byte | 1),
]

/**
 * Call data of a function, filled in ways of all kinds: small numbers, places and lengths about
 * `size` bytes, and words and bytes without a pattern.
 */
export function* fillings({ random, marks }: Stage, entry: EntryPoint, size: number): Generator<Hex> {
  const lengths = [size, size + WORD_BYTES].map(BigInt)
  const pick = <T>(label: string, all: readonly T[]): T =>
    all[Number(random.between(`filling ${label}`, 0n, BigInt(all.length - 1)))] as T
  const seen = new Set<Hex>()
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
      const choices = [BigInt(leaf + 1), pick(`${label} length`, lengths), value]
      return pick(label, isItem ? [value, ...choices] : choices)
    })
    const data = dataOf({ ...entry, template }, values)
    if (seen.has(data)) continue
    seen.add(data)
    yield data
  }
}

function bytesOf(
  random: SeededRandom,
  label: string,
  { length, content }: { length: number; content: (byte: number, at: number) => number },
): Hex {
  const words = Array.from({ length: Math.ceil(length / WORD_BYTES) }, (_, i) =>
    toPaddedHex(random.between(`filling ${label} word ${i}`, 0n, 2n ** 256n - 1n), WORD_BYTES).slice(2),
  )
  const bytes = Buffer.from(words.join(''), 'hex').subarray(0, length).map(content)
  return `0x${Buffer.from(bytes).toString('hex')}`
}
