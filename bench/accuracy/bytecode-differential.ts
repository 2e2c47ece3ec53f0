import { createRequire } from 'node:module'
import { readFacts } from '../../src/bytecode/facts.js'
import { readCodes } from './bytecode-corpus.js'

/** Where our reading and evmole's differ. Blocks are named by their first instruction. */
export interface Difference {
  codes: number
  blocks: number
  /** Blocks that evmole follows and we rule out by the values that decide the jump. */
  onlyEvmole: number
  /** Blocks that we follow and evmole does not. */
  onlyOurs: number
  selectors: number
  selectorsOnlyEvmole: number
  selectorsOnlyOurs: number
}

/** evmole's control flow graph can take exponential time; on codes of this size it does not (measured). */
const MAX_CODE_BYTES = 6_000
/** One code of so many. */
const SAMPLE = 8

interface Evmole {
  contractInfo(
    code: string,
    options: { selectors: true; controlFlowGraph: true },
  ): {
    functions?: { selector: string }[]
    /** Its typings say plain objects; they are maps. */
    controlFlowGraph?: { blocks: Map<string, number>[] }
  }
}

/** Compares reachable blocks and selectors with another engine's, on codes without labels. Ours are read without its proposals. */
export function measureDifference(file: string): Difference {
  const { contractInfo } = createRequire(import.meta.url)('evmole') as Evmole
  const total: Difference = {
    codes: 0,
    blocks: 0,
    onlyEvmole: 0,
    onlyOurs: 0,
    selectors: 0,
    selectorsOnlyEvmole: 0,
    selectorsOnlyOurs: 0,
  }
  const small = readCodes(file).filter(({ length }) => length <= MAX_CODE_BYTES)
  for (const code of small.filter((_, index) => index % SAMPLE === 0)) {
    const facts = readFacts(code)
    if (facts.gaps.length > 0) continue
    const { functions = [], controlFlowGraph } = contractInfo(`0x${Buffer.from(code).toString('hex')}`, {
      selectors: true,
      controlFlowGraph: true,
    })
    const theirBlocks = new Set((controlFlowGraph?.blocks ?? []).map((block) => block.get('start')))
    const run = new Set(facts.reachable.map(({ pc }) => pc))
    const ourBlocks = new Set(facts.functions.flatMap(({ run: { nodes } }) => nodes.map(({ pc }) => pc)))
    const theirSelectors = new Set(functions.map(({ selector }) => `0x${selector}`))
    const ourSelectors = new Set(facts.functions.flatMap(({ selector }) => (selector ? [`${selector}`] : [])))
    total.codes += 1
    total.blocks += new Set([...theirBlocks, ...ourBlocks]).size
    total.onlyEvmole += [...theirBlocks].filter((pc) => pc === undefined || !run.has(pc)).length
    total.onlyOurs += [...ourBlocks].filter((pc) => !theirBlocks.has(pc)).length
    total.selectors += new Set([...theirSelectors, ...ourSelectors]).size
    total.selectorsOnlyEvmole += [...theirSelectors].filter((selector) => !ourSelectors.has(selector)).length
    total.selectorsOnlyOurs += [...ourSelectors].filter((selector) => !theirSelectors.has(selector)).length
  }
  return total
}
