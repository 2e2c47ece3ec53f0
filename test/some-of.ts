/** `npm run test:whole`, which has a machine to itself every night, leaves nothing out. */
export const isWhole = process.env.ASSAY_TESTS === 'whole'

const DAY_MS = 24 * 3_600_000

/**
 * Which rows of long lists have their turn in this run: others each day, the same in all processes
 * of a run. Set it to run those of an earlier day again.
 */
export const TURN_OF_RUN = Number(process.env.ASSAY_TESTS_TURN ?? Math.floor(Date.now() / DAY_MS))

/**
 * One in `of` of long lists whose rows go through the same code, so that `npm test` takes minutes;
 * after `of` days each has had its turn. `turn` shifts which ones, so that suites over the same
 * list look at different ones; of a list that has any, one is left at least.
 */
export function someOf<T>(all: readonly T[], of: number, turn = 0): T[] {
  return isWhole ? [...all] : rowsOfTurn(all, of, TURN_OF_RUN + turn)
}

/**
 * One of each `of` rows that stand together, at another place in each group: where rows alternate,
 * as traps and their twins do, both kinds are among those of a turn.
 */
export function rowsOfTurn<T>(all: readonly T[], of: number, turn: number): T[] {
  const step = Math.min(of, all.length)
  return all.filter((_, i) => i % step === (turn + Math.floor(i / step)) % step)
}
