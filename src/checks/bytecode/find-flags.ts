import type { Address } from '../../hex.js'
import type { Evidence, RiskFlag } from './bytecode-report.js'
import { assertInTime, createDetectionDeadline, limitTime } from './deadline.js'
import type { Detector, Finding } from './detector.js'
import { rank, SEVERITY_SCORES } from './severity.js'
import type { Subject } from './subject.js'

/** Places shown per flag; the worst come first. */
const MAX_EVIDENCE = 12

export interface Flags {
  flags: RiskFlag[]
  /** Detectors that broke: what they would have found is unknown. */
  failed: string[]
  /** Each place that a detector told of, with the ids of those; evidence shows only the worst. */
  told: ToldPlaces
}

/** Ids of detectors, by {@link placeKey}. */
export type ToldPlaces = ReadonlyMap<string, ReadonlySet<string>>

export const placeKey = (address: Address, pc: number): string => `${address}:${pc}`

/**
 * Runs every detector over the contract and all code that runs in its place. A detector that finds
 * no time left counts as failed.
 */
export function findFlags(
  detectors: readonly Detector[],
  subjects: readonly Subject[],
  isOverdue: () => boolean = createDetectionDeadline(subjects.length),
): Flags {
  for (const subject of subjects) limitTime(subject, isOverdue)
  const flags: RiskFlag[] = []
  const failed: string[] = []
  const told = new Map<string, Set<string>>()
  for (const detector of detectors) {
    const found: { finding: Finding; evidence: Evidence }[] = []
    for (const subject of subjects) {
      try {
        assertInTime(subject)
        for (const finding of detector.detect(subject)) {
          const { severity: _, confidence: __, ...where } = finding
          found.push({ finding, evidence: { address: subject.address, ...where } })
          if (where.pc === undefined) continue
          const key = placeKey(subject.address, where.pc)
          told.set(key, (told.get(key) ?? new Set()).add(detector.id))
        }
      } catch {
        failed.push(`detector ${detector.id}`)
      }
    }
    const sorted = unique(found).sort((a, b) => rank(b.finding.severity) - rank(a.finding.severity))
    const worst = sorted[0]?.finding
    if (worst === undefined) continue
    flags.push({
      id: detector.id,
      threatLevel: SEVERITY_SCORES[worst.severity].threatLevel,
      severity: worst.severity,
      title: detector.title,
      description: (worst.holder === 'anyone' && detector.openDescription) || detector.description,
      confidence: worst.confidence ?? detector.confidence,
      evidence: sorted.slice(0, MAX_EVIDENCE).map(({ evidence }) => evidence),
    })
  }
  return { flags: flags.sort((a, b) => rank(b.severity) - rank(a.severity)), failed: [...new Set(failed)], told }
}

/** One place is shown once, at its worst. */
function unique(found: { finding: Finding; evidence: Evidence }[]): typeof found {
  const places = new Map<string, (typeof found)[number]>()
  for (const item of found) {
    const { address, pc, selector, slot } = item.evidence
    const key = `${address}:${pc}:${selector}:${slot}`
    const known = places.get(key)
    if (known === undefined || rank(item.finding.severity) > rank(known.finding.severity)) places.set(key, item)
  }
  return [...places.values()]
}
