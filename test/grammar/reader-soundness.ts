import { seededRandom } from '../../src/bytecode/random-program.conformance.js'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'
import { playToken } from './play-grammar.js'
import { generateTokens } from './random-tokens.js'

export interface SoundnessResult {
  tokens: number
  /** Those held for clean: no finding above `LOW`, and each condition explained. */
  clean: number
  /** Those that were seen to do harm when played. */
  harmful: number
  /** Held for clean, and seen to do harm: seed, setting, name, and how it ended. */
  wrong: readonly string[]
}

/** Generates tokens, holds some of them for clean by their code alone, and plays all. */
export function measureSoundness(seed: number, tokens: number): SoundnessResult {
  const next = seededRandom(seed)
  const setting = GRAMMAR_SETTINGS[seed % GRAMMAR_SETTINGS.length]
  if (setting === undefined) throw new RangeError('there is no such setting')
  const wrong: string[] = []
  let [clean, harmful] = [0, 0]
  for (const [name, code] of compileTokens(generateTokens(next, tokens), setting)) {
    if (!/^R\d+$/.test(name)) continue
    const isClean = judgeToken(code).length === 0
    const ends = playToken(code, next)
    if (isClean) clean += 1
    if (ends.length > 0) harmful += 1
    if (isClean && ends.length > 0) wrong.push(`seed ${seed}, ${setting.label}, ${name}: ${ends.join(', ')}`)
  }
  return { tokens, clean, harmful, wrong }
}
