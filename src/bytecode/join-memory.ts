import { type Memory, type Row, type Word, wordsOf } from './memory.js'
import type { Term, TermStore } from './terms.js'

/**
 * What is true on both ways into a block. Returns `a` itself when `b` adds nothing. `name` makes
 * the term for two different words.
 */
export function joinMemory(
  store: TermStore,
  a: Memory,
  b: Memory,
  name: (a: Term, b: Term, place: string) => Term,
): Memory {
  let rows: Row[] | undefined
  let lost = store.union(a.rest, b.rest)
  for (const [place, row] of a.rows.entries()) {
    const { base } = row
    const others = wordsOf(b, base) ?? NO_WORDS
    if (others === row.words) continue
    let joined: Word[] | undefined
    let at = 0
    for (const [index, word] of row.words.entries()) {
      // What only the other one has is lost.
      for (; (others[at]?.offset ?? Number.POSITIVE_INFINITY) < word.offset; at += 1)
        lost = store.union(lost, (others[at] as Word).term.taint)
      const other = others[at]?.offset === word.offset ? others[at] : undefined
      if (other !== undefined) at += 1
      if (other === undefined || other.from !== word.from || other.to !== word.to) {
        joined ??= row.words.slice(0, index)
        lost = store.union(lost, word.term.taint)
        if (other !== undefined) lost = store.union(lost, other.term.taint)
        continue
      }
      const term = other.term === word.term ? word.term : name(word.term, other.term, `${base}:${word.offset}`)
      if (term !== word.term) joined ??= row.words.slice(0, index)
      joined?.push(term === word.term ? word : { ...word, term })
    }
    for (; at < others.length; at += 1) lost = store.union(lost, (others[at] as Word).term.taint)
    if (joined === undefined) continue
    rows ??= a.rows.slice()
    rows[place] = { base, owner: undefined, words: joined }
  }
  for (const { base, words } of b.rows)
    if (wordsOf(a, base) === undefined) for (const { term } of words) lost = store.union(lost, term.taint)
  const fresh = a.fresh && b.fresh
  if (rows === undefined && lost === a.rest && fresh === a.fresh) return a
  return { rows: rows ?? a.rows, rest: lost, shared: rows === undefined, fresh }
}

/** Whether both say the same, word by word. */
export function isSameMemory(a: Memory, b: Memory): boolean {
  if (a === b) return true
  if (a.rest !== b.rest || a.fresh !== b.fresh || a.rows.length !== b.rows.length) return false
  return a.rows.every(({ base, words }) => {
    const others = wordsOf(b, base)
    return (
      others === words || (others?.length === words.length && words.every((word, i) => isSameWord(word, others[i])))
    )
  })
}

const isSameWord = (a: Word, b: Word | undefined): boolean =>
  a === b || (a.term === b?.term && a.offset === b.offset && a.from === b.from && a.to === b.to)

const NO_WORDS: readonly Word[] = []
