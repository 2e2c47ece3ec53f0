/**
 * How many times as long as in every test run: `ASSAY_FUZZ_FACTOR=100 npx vitest run test/fuzz`.
 */
const FACTOR = Number(process.env.ASSAY_FUZZ_FACTOR ?? 1)
/**
 * Repeats what a failure printed; without it every long run tries other cases, and every short one
 * the same.
 */
const SEED = process.env.ASSAY_FUZZ_SEED ?? (FACTOR === 1 ? '1' : undefined)

/** What fast-check is told: `count` cases in a test run, more by choice. */
export function fuzz(count: number): { numRuns: number; seed?: number } {
  return { numRuns: Math.ceil(count * FACTOR), ...(SEED !== undefined && { seed: Number(SEED) }) }
}

/** For the test around it: nothing here is about time. */
export const patience = (ms: number): number => ms * Math.max(1, FACTOR)
