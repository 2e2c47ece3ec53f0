/**
 * A reader who has three seconds and knows English, and nothing of this service: neither its words
 * nor where it puts them. Of what is drawn the largest is read first.
 */
export interface Drawn {
  text: string
  /** Height of its letters in pixels. */
  size: number
}

export type Answer = 'buy' | 'do not buy' | 'not sure' | 'says both' | 'says nothing'

/** 238 words a minute: silent reading of adults (Brysbaert 2019, 190 studies). */
const WORDS_IN_THREE_SECONDS = 12
/** Bad news is taken to be as strong as twice the good. */
const BAD_WEIGHS = 2
/** One impression prevails when it is so much stronger than the next. */
const PREVAILS = 1.5
/** Words that a negation is carried over: "not at all safe". */
const REACH = 3

const list = (words: string) => new Set(words.trim().split(/\s+/))

/** What people say of things that they would buy, and of dealing with them. */
const GOOD = list(`
  good great fine safe safely sound honest fair clean healthy secure genuine reliable trustworthy
  trusted solid harmless ok okay nice excellent perfect best better well works working proper
  legitimate legit real recommended recommend protected sensible decent
  buy buying bought sell sold use using trust touch accept take confirm sign own keep go
`)
/** What they say of things that they would not. */
const BAD = list(`
  bad worse worst wrong evil awful terrible danger dangerous risk risks harm harms harmful hurt
  damage damaged threat trap traps trick tricks tricked scam scams fraud fraudulent swindle cheat
  cheats fake false lie lies lying deceive deceives deceptive misleading steal steals stolen theft
  thief rob robbed drain drains drained lose loses losing loss losses lost destroy destroys
  destroyed kill killed broken breaks fail fails failed failure stuck trapped frozen freeze freezes
  refuse refuses refused deny denies denied forbidden blocked barred banned illegal malicious
  hostile attack attacks abuse abused victim poison toxic hidden secret suspicious avoid stop
  worthless useless ruin ruined alarm problem problems trouble error unsafe unfair dishonest unable
  seize seized confiscate confiscated vanish vanishes critical severe serious grave crime criminal
  reject rejected expensive overpriced unacceptable away
`)
/** What they say where they do not know. */
const UNSURE = list(`
  careful carefully caution cautious wary beware warning warn unclear unknown uncertain unsure doubt
  doubts doubtful maybe perhaps might may possibly possible questionable incomplete unfinished
  partly partial missing risky medium unproven untested unexplained wait depends suspect guess
  confusing mixed unlikely debatable
`)
/** With a negation they say that one does not know, and without it nothing. */
const KNOWING = list(`
  know knows known sure certain clear tell told say said answer answered answers understood finish
  finished proven prove tested measured tried decided verified confirmed checked
  complete
`)
const NEGATIONS = list('no not never none nothing nobody neither nor without cannot hardly barely less')
/** What makes the next bad thing a small one, and one in between. */
const LITTLE = list('low little small minor slight few')
const BETWEEN = list('medium moderate some')

type Impression = 'buy' | 'do not buy' | 'not sure'
type Weights = Record<Impression, number>

/** What the reader says after three seconds. */
export function conclude(drawn: readonly Drawn[]): Answer {
  const [largest, ...others] = drawn.filter(({ text }) => /[a-z]/i.test(text)).toSorted((a, b) => b.size - a.size)
  if (largest === undefined) return 'says nothing'
  const [first, rest] = [decide([largest]), decide(others)]
  if ((first === 'buy' && rest === 'do not buy') || (first === 'do not buy' && rest === 'buy')) return 'says both'
  return decide([largest, ...others])
}

function decide(drawn: readonly Drawn[]): Answer {
  const weights: Weights = { buy: 0, 'do not buy': 0, 'not sure': 0 }
  let left = WORDS_IN_THREE_SECONDS
  for (const { text, size } of drawn) {
    const words = text.match(/\S*[a-z]\S*/gi)?.slice(0, left) ?? []
    left -= words.length
    for (const impression of impressionsOf(words.join(' ')))
      weights[impression] += size ** 2 * (impression === 'do not buy' ? BAD_WEIGHS : 1)
  }
  const [[answer, most], [, next]] = Object.entries(weights).toSorted(([, a], [, b]) => b - a) as Ranking
  if (most === 0) return 'says nothing'
  return most >= PREVAILS * next ? answer : 'not sure'
}

type Ranking = [[Impression, number], [Impression, number]]

/** One for each word that says anything. A negation is used up by the first that it meets. */
function impressionsOf(text: string): Impression[] {
  const clauses = text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[.,:;!?()]+|\bbut\b/)
  return clauses.flatMap((clause) => {
    const words = clause.match(/[a-z']+/g) ?? []
    let negatedAt = Number.NEGATIVE_INFINITY
    return words.flatMap((word, i) => {
      if (isNegation(word)) negatedAt = i
      const isNegated = i - negatedAt <= REACH
      const impression = impressionOf(word, words[i - 1] ?? '', isNegated)
      if (impression !== undefined || KNOWING.has(word)) negatedAt = Number.NEGATIVE_INFINITY
      return impression ?? []
    })
  })
}

const isNegation = (word: string) => NEGATIONS.has(word) || word.endsWith("n't")

function impressionOf(word: string, before: string, isNegated: boolean): Impression | undefined {
  if (UNSURE.has(word) || (isNegated && KNOWING.has(word))) return 'not sure'
  if (GOOD.has(word)) return isNegated ? 'do not buy' : 'buy'
  if (!BAD.has(word)) return undefined
  if (BETWEEN.has(before)) return 'not sure'
  return isNegated || LITTLE.has(before) ? 'buy' : 'do not buy'
}
