/** Tokens of one code, as far as they are remembered. The one that is judged is not among them. */
export interface FamilyCounts {
  copies: number
  /** Of these, how many were hostile at any time. */
  hostile: number
  /** Of the hostile, how many were not when they were judged first. */
  turned: number
}

/**
 * What is known of other tokens with the same code. It never moves a verdict: copies are made by
 * others, who can make hostile ones of an honest code and honest ones of a hostile one.
 */
export interface Family extends FamilyCounts {
  /** Hash of the code, without what differs between copies. */
  code: string
  /** There are more than are counted. */
  isMore: boolean
  /** Those that behave the same besides: the same conditions, privileges and taxes. */
  alike: FamilyCounts
  /** Accounts that made the hostile ones, where the node told. */
  creatorsOfHostile: number
  /** When the first of them was judged here, in milliseconds since 1970; absent where none was. */
  since: number | undefined
  /** What other installations told, apart from what was seen here. */
  imported: readonly (FamilyCounts & { keyId: string })[]
}

/** The same in one sentence or two; `what` they have in common. */
export function describeFamily(
  { copies, isMore, hostile, turned, creatorsOfHostile }: Family,
  what = 'this code',
): string {
  if (copies === 0) return `It is the first token with ${what} that was judged here.`
  const first = isMore
    ? `More than ${copies} other tokens with ${what} were judged here.`
    : `It is the ${ordinal(copies + 1)} token with ${what} that was judged here.`
  if (hostile === 0) return `${first} None of the others was hostile.`
  const later = turned > 0 ? `, ${turned} of them only later` : ''
  const makers = creatorsOfHostile > 0 && hostile > 1 ? `; ${countOf(creatorsOfHostile, 'account')} made these` : ''
  return `${first} Of the others ${hostile} ${hostile === 1 ? 'was' : 'were'} hostile${later}${makers}.`
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}
