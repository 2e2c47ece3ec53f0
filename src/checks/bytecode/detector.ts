import type { Confidence, Evidence, Severity } from './bytecode-report.js'
import type { Subject } from './subject.js'

/** One place where a rule found what it looks for. */
export interface Finding extends Omit<Evidence, 'address'> {
  severity: Severity
  /** Default: the detector's. */
  confidence?: Confidence
}

export interface Detector {
  /** Also the name of its page under `docs/detectors/`, of its test and of its example contract. */
  id: string
  title: string
  /** What it means for the user; the sentence for the worst finding may replace it. */
  description: string
  /** The same of a place that any address can reach. */
  openDescription?: string
  confidence: Confidence
  /** Pure and synchronous. Finds nothing in code that only looks similar. */
  detect(subject: Subject): Finding[]
}

/** Keeps the types of a detector, and its shape the same everywhere. */
export const defineDetector = (detector: Detector): Detector => detector
