/** Looks at a value at a path; what is wrong goes to the list of problems. */
export type Check<T> = (value: unknown, path: string, problems: string[]) => T

/** A problem is one line: where, what is expected, and never the value, which may be long. */
function refuse<T>(problems: string[], path: string, expected: string, fallback: T): T {
  problems.push(`${path || 'the file'}: expected ${expected}`)
  return fallback
}

export const text =
  <T extends string>(form: RegExp, expected: string): Check<T> =>
  (value, path, problems) =>
    typeof value === 'string' && form.test(value) ? (value as T) : refuse(problems, path, expected, '' as T)

export const whole =
  (least: number, most: number): Check<number> =>
  (value, path, problems) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? value
      : refuse(problems, path, `a whole number from ${least} to ${most}`, least)

export const flag: Check<boolean> = (value, path, problems) =>
  typeof value === 'boolean' ? value : refuse(problems, path, 'true or false', false)

export const oneOf =
  <const T extends string>(...names: readonly T[]): Check<T> =>
  (value, path, problems) =>
    names.find((name) => name === value) ?? refuse(problems, path, `one of ${names.join(', ')}`, names[0] as T)

export const list =
  <T>(item: Check<T>, most: number, least = 0): Check<T[]> =>
  (value, path, problems) => {
    if (!Array.isArray(value) || value.length > most || value.length < least)
      return refuse(problems, path, `a list of ${least} to ${most}`, [])
    return value.map((each, i) => item(each, `${path}[${i}]`, problems))
  }

/** Fields that must be there, and fields that may; any other is a problem, since it is a typo. */
export const fields =
  <R extends object, O extends object>(
    required: { [K in keyof R]: Check<R[K]> },
    optional: { [K in keyof O]: Check<O[K]> },
  ): Check<R & Partial<O>> =>
  (value, path, problems) => {
    const given = toRecord(value)
    if (given === undefined) return refuse(problems, path, 'an object', {} as R & Partial<O>)
    const checks: Record<string, Check<unknown>> = { ...required, ...optional }
    const at = (name: string) => (path === '' ? name : `${path}.${name}`)
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(checks, name))
    for (const name of unknown.slice(0, MAX_UNKNOWN)) problems.push(`${at(printable(name))}: there is no such field`)
    const read = Object.entries(checks).filter(([name]) => Object.hasOwn(given, name) || Object.hasOwn(required, name))
    return Object.fromEntries(read.map(([name, check]) => [name, check(given[name], at(name), problems)])) as R &
      Partial<O>
  }

const MAX_UNKNOWN = 8

export function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}

/** Names come from the file and go to a terminal. */
const printable = (name: string) => name.slice(0, 40).replace(/[^\x20-\x7e]/g, '?')
