/** In the gate nothing is left out. */
export const isGate = process.env.CI === 'true'

/**
 * All of these in the gate, one in `of` elsewhere: for long lists whose rows go through the same
 * code, so that `npm test` takes minutes. `turn` shifts which ones, so that suites over the same
 * list look at different ones; of a list that has any, one is left at least.
 */
export function someOf<T>(all: readonly T[], of: number, turn = 0): T[] {
  const step = Math.min(of, all.length)
  return all.filter((_, i) => isGate || i % step === turn % step)
}
