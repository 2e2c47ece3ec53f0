import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const PATH = resolve(import.meta.dirname, 'grammar-results.json')

/** How the sentences came out with one way to compile them. */
export interface SettingResult {
  date: string
  pairs: number
  /** Traps that were said, and twins that stayed calm. */
  said: number
  calm: number
}

/** How generated tokens came out, from one first seed on. */
export interface GeneratedResult {
  date: string
  tokens: number
  clean: number
  harmful: number
  /** Held for clean, and seen to do harm. */
  wrong: number
}

/** What `grammar.bench.ts` and `reader-soundness.bench.ts` found when they ran last. */
export interface GrammarResults {
  /** By the label of the setting. */
  settings: Record<string, SettingResult>
  /** By the first seed. */
  generated: Record<string, GeneratedResult>
}

export const readGrammarResults = (): GrammarResults =>
  existsSync(PATH) ? (JSON.parse(readFileSync(PATH, 'utf8')) as GrammarResults) : { settings: {}, generated: {} }

/** Keeps what was measured beside what is there, and returns all. */
export function keepGrammarResults({ settings = {}, generated = {} }: Partial<GrammarResults>): GrammarResults {
  const known = readGrammarResults()
  const all = {
    settings: { ...known.settings, ...settings },
    generated: { ...known.generated, ...generated },
  }
  writeFileSync(PATH, `${JSON.stringify(all, null, 2)}\n`)
  return all
}
