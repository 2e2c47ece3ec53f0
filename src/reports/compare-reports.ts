/** One field in which two reports differ. A side that lacks the field is `undefined`. */
export interface Difference {
  /** Names and positions from the top, as `checks.simulateResult.steps[0].gasUsed`. */
  path: string
  saved: unknown
  again: unknown
}

/**
 * Fields that differ between two runs of the same analysis, and why that is right (docs/replay.md).
 */
export const VARYING_FIELDS: Readonly<Record<string, string>> = {
  'checks.simulateResult.simulatedAt': 'the time of the run',
  detectedAt: 'the time of the run',
  'data.detectedAt': 'the time of the run',
  family: 'what had been judged before',
  signature: 'the signature of the service that made the report',
}

/**
 * Every difference outside {@link VARYING_FIELDS}, in the order of the fields; stops after {@link
 * MAX_DIFFERENCES}.
 */
export function compareReports(saved: unknown, again: unknown): Difference[] {
  const found: Difference[] = []
  compare(saved, again, '', found)
  return found
}

/** Enough to see what is wrong; two reports on different tokens differ everywhere. */
export const MAX_DIFFERENCES = 100

function compare(saved: unknown, again: unknown, path: string, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.hasOwn(VARYING_FIELDS, path) || Object.is(saved, again)) return
  if (!isContainer(saved) || !isContainer(again) || Array.isArray(saved) !== Array.isArray(again)) {
    found.push({ path, saved, again })
    return
  }
  const names = new Set([...Object.keys(saved), ...Object.keys(again)])
  for (const name of names) {
    const inner = Array.isArray(saved) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    compare(member(saved, name), member(again, name), inner, found)
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const member = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
