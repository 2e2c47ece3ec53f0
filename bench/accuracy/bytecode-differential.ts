import { createRequire } from 'node:module'
import { readFacts } from '../../src/bytecode/facts.js'
import { readCodes } from './bytecode-corpus.js'

/** Where our reading and another engine's differ. Blocks are named by their first instruction. */
export interface Difference {
  engine: string
  codes: number
  /** Codes that the other engine gave up on; not compared. */
  failed: number
  blocks: number
  /** Blocks that the other engine follows and we rule out by the values that decide the jump. */
  onlyTheirs: number
  /** Blocks that we follow and the other engine does not. */
  onlyOurs: number
  selectors: number
  selectorsOnlyTheirs: number
  selectorsOnlyOurs: number
}

/** What an engine sees in a code. */
interface Reading {
  blocks: ReadonlySet<number>
  selectors: ReadonlySet<string>
}

interface Engine {
  name: string
  /** Undefined where the engine gives up, in its own words. */
  read(code: string): Reading | undefined
}

/**
 * evmole's control flow graph can take exponential time; on codes of this size it does not
 * (measured).
 */
const MAX_CODE_BYTES = 6_000
/** One code of so many. */
const SAMPLE = 8

const require = createRequire(import.meta.url)

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

function createEvmole(): Engine {
  const { contractInfo } = require('evmole') as Evmole
  return {
    name: 'evmole 0.8.4',
    read(code) {
      const { functions = [], controlFlowGraph } = contractInfo(code, { selectors: true, controlFlowGraph: true })
      const starts = (controlFlowGraph?.blocks ?? []).flatMap((block) => block.get('start') ?? [])
      return { blocks: new Set(starts), selectors: new Set(functions.map(({ selector }) => selector)) }
    },
  }
}

interface Sevm {
  Contract: new (
    code: string,
  ) => { blocks: Map<number, unknown>; functions: Record<string, unknown>; errors: readonly unknown[] }
}

function createSevm(): Engine {
  const { Contract } = require('sevm') as Sevm
  return {
    name: 'sevm 0.7.4',
    read(code) {
      const { blocks, functions, errors } = new Contract(code)
      return errors.length > 0
        ? undefined
        : { blocks: new Set(blocks.keys()), selectors: new Set(Object.keys(functions)) }
    },
  }
}

/**
 * Compares reachable blocks and selectors with other engines', on codes without labels. Ours are
 * read without the proposals of others.
 */
export function measureDifferences(file: string): Difference[] {
  const small = readCodes(file).filter(({ length }) => length <= MAX_CODE_BYTES)
  const codes = small.filter((_, index) => index % SAMPLE === 0)
  return [createEvmole(), createSevm()].map((engine) => compare(engine, codes))
}

function compare(engine: Engine, codes: readonly Uint8Array[]): Difference {
  const total: Difference = {
    engine: engine.name,
    codes: 0,
    failed: 0,
    blocks: 0,
    onlyTheirs: 0,
    onlyOurs: 0,
    selectors: 0,
    selectorsOnlyTheirs: 0,
    selectorsOnlyOurs: 0,
  }
  for (const code of codes) {
    const facts = readFacts(code)
    if (facts.gaps.length > 0) continue
    const theirs = engine.read(`0x${Buffer.from(code).toString('hex')}`)
    if (theirs === undefined) {
      total.failed += 1
      continue
    }
    const run = new Set(facts.reachable.map(({ pc }) => pc))
    const ourBlocks = new Set(facts.functions.flatMap(({ run: { nodes } }) => nodes.map(({ pc }) => pc)))
    const ourSelectors = new Set(facts.functions.flatMap(({ selector }) => selector?.slice(2) ?? []))
    total.codes += 1
    total.blocks += new Set([...theirs.blocks, ...ourBlocks]).size
    total.onlyTheirs += countMissing(theirs.blocks, run)
    total.onlyOurs += countMissing(ourBlocks, theirs.blocks)
    total.selectors += new Set([...theirs.selectors, ...ourSelectors]).size
    total.selectorsOnlyTheirs += countMissing(theirs.selectors, ourSelectors)
    total.selectorsOnlyOurs += countMissing(ourSelectors, theirs.selectors)
  }
  return total
}

const countMissing = <T>(of: ReadonlySet<T>, from: ReadonlySet<T>): number =>
  [...of].filter((item) => !from.has(item)).length
