import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Generation } from '../../scripts/trap-compilers.js'
import { rankPowers } from '../../src/checks/powers/powers-score.js'
import type { Hex } from '../../src/hex.js'
import { runSolc } from '../run-solc.js'
import { POWER_GRAMMAR_BASE, type PowerPair } from './power-grammar.js'
import type { SweepStage } from './sweep-stage.js'

/** What a sweep said of one contract. */
interface PowerAnswer {
  /** A harm that was shown, and is at least `Medium Risk`. */
  isSaid: boolean
  /** Nothing above `Low Risk`, and nothing left open. */
  isCalm: boolean
  /** The verdict and the worst power, in words. */
  text: string
}

/** How one sentence came out. */
export interface PowerGrammarResult {
  pair: PowerPair
  trap: PowerAnswer
  twin: PowerAnswer
}

const ORDINARY = resolve(import.meta.dirname, '../../contracts/powers/PowerToken.sol')
/** Sentences that one run of a compiler takes. */
const BATCH = 24

/** Lists each trap and its twin on the stage's exchange, and sweeps both. */
export async function judgePowerGrammar(
  stage: SweepStage,
  pairs: readonly PowerPair[],
  generation: Generation,
): Promise<PowerGrammarResult[]> {
  const results: PowerGrammarResult[] = []
  for (let at = 0; at < pairs.length; at += BATCH) {
    const batch = pairs.slice(at, at + BATCH)
    const codes = compilePairs(batch, generation)
    const names = batch.flatMap(({ name }) => [`T${name}`, `H${name}`])
    const offers = names.map((name) => ({ name, creationCode: codes.get(name) ?? ('0x' as const), after: [] }))
    const tokens = await stage.list(offers)
    for (const [i, pair] of batch.entries()) {
      const trap = await sweep(stage, tokens[2 * i] ?? '0x')
      results.push({ pair, trap, twin: await sweep(stage, tokens[2 * i + 1] ?? '0x') })
    }
  }
  return results
}

async function sweep(stage: SweepStage, token: Hex): Promise<PowerAnswer> {
  const { facts, verdict } = await stage.sweep(token)
  const [worst] = rankPowers(facts.powers).filter(({ effect }) => effect !== 'none' && effect !== 'untried')
  const isGrave = !['Safe', 'Low Risk'].includes(verdict.level)
  const power = worst && `${worst.effect} ${worst.lossBps / 100} % by ${worst.holder.kind}`
  return {
    isSaid: isGrave && worst !== undefined,
    isCalm: !isGrave && facts.unfinished === '',
    text: [verdict.level, power, facts.unfinished].filter(Boolean).join(', '),
  }
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

function compilePairs(pairs: readonly PowerPair[], { package: name, settings, translate, label }: Generation) {
  const source = [readFileSync(ORDINARY, 'utf8'), POWER_GRAMMAR_BASE, ...pairs.map(({ source }) => source)].join('\n')
  const input = {
    language: 'Solidity',
    sources: { 'Grammar.sol': { content: translate(source) } },
    settings: { ...settings, outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  }
  const { errors = [], contracts = {} } = runSolc(name, input) as Output
  const grave = errors.filter(({ severity }) => severity === 'error')
  if (grave.length > 0) throw new Error(`${label}: ${grave[0]?.formattedMessage}`)
  const units = Object.entries(contracts['Grammar.sol'] ?? {})
  return new Map(units.map(([contract, { evm }]) => [contract, `0x${evm.bytecode.object}` as Hex]))
}
