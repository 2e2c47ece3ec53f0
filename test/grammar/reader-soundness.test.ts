import { expect, test } from 'vitest'
import { measureSoundness } from './reader-soundness.js'

/** `FUZZ_SEED` asks for others; `bench/accuracy/reader-soundness.bench.ts` plays thousands. */
const SEED = Number(process.env.FUZZ_SEED ?? 1)
/** Two files of tokens: compiling them takes longer than playing. */
const FILES = 2
const TOKENS = Number(process.env.FUZZ_TOKENS ?? 40)

test.each(Array.from({ length: FILES }, (_, file) => SEED + file))(
  'generated tokens %i: none that is held for clean was seen to do harm',
  { timeout: 300_000 },
  (seed) => {
    const { clean, harmful, wrong } = measureSoundness(seed, TOKENS)
    expect(wrong).toEqual([])
    // Both happen: tokens that are held for clean, and tokens that do harm.
    expect(clean).toBeGreaterThan(0)
    expect(harmful).toBeGreaterThan(0)
  },
)
