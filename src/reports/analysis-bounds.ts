/** What an analysis may take, in milliseconds. */
export interface AnalysisBounds {
  /** From the question to its answer, waiting included. */
  analysisMs: number
  /** How long before that the analysis is told to stop, so that it can still say what it found. */
  wrapUpMs: number
  /** How long an analysis may wait for its turn. */
  turnMs: number
}

export const ANALYSIS_BOUNDS: Readonly<AnalysisBounds> = Object.freeze({
  // Existing clients give up after 15 s.
  analysisMs: 15_000,
  wrapUpMs: 1_000,
  // Half of the time: what begins later may not be done in the rest, and a caller that has waited
  // in vain for so long had better come back.
  turnMs: 7_000,
})
