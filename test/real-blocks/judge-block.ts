import { createHash } from 'node:crypto'
import type { Chain } from '../../src/chains/chain.js'
import type { BytecodeJudge } from '../../src/checks/bytecode/bytecode-judge.js'
import type { BytecodeReport } from '../../src/checks/bytecode/bytecode-report.js'
import { createCheckHoneypot, type HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import { createRecipeMemory } from '../../src/checks/powers/recipe-memory.js'
import { checkTrade } from '../../src/checks/trade/check-trade.js'
import { type OpenState, tradePlan } from '../../src/checks/trade/open-state.js'
import type { TradeReport } from '../../src/checks/trade/trade-report.js'
import { createSystemClock } from '../../src/clock.js'
import type { Address } from '../../src/hex.js'
import type { BlockFile } from '../../src/replay-blocks/block-file.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import type { Simulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'
import type { StateMiss } from '../../src/state/state-reader.js'
import type { Witness } from './async-witness.js'
import { startWitnessNode } from './witness-node.js'

export interface Engines {
  simulator: Simulator
  bytecodeJudge: BytecodeJudge
}

/**
 * What came of the checks, each on its own; `refused` is what the node was asked for and does not
 * hold, by name.
 */
export interface Judged {
  trade: TradeReport | Failure
  honeypot: HoneypotReport | Failure
  bytecode: BytecodeReport | Failure
  refused: readonly string[]
}

/** Errors as they would reach the log, cause by cause. */
export interface Failure {
  failed: true
  error: Error
}

export interface JudgedCase {
  file: BlockFile
  witness: Witness
  chain: Chain
  address: Address
  /**
   * Of the case, from which the trader follows: each run trades the same, and nothing that a thread
   * keeps of a block is found again with another witness of it.
   */
  name: string
}

const clock = createSystemClock()
const NO_LOGS = () => Promise.reject(new Error('a block has no history'))

/**
 * Trades a token and reads its code on a node that serves one block, over HTTP. Holders, liquidity
 * and history need more than a block. Of what the checks read ahead, only that is asked which the
 * witness holds: it is guessed, and a guess cannot be told from a need.
 */
export async function judgeOnBlock(
  { file, witness, chain, address, name }: JudgedCase,
  engines: Engines,
): Promise<Judged> {
  const node = await startWitnessNode(file, witness)
  // The head of long ago is the head.
  const rpc = createRpcClient({ urls: [node.url], chainId: chain.id, clock, limits: { maxHeadAgeMs: Infinity } })
  const memory = createStateMemory({ clock })
  const open: OpenState = async (target, { key, seeds, guesses = [] }) => {
    const ahead = [...seeds, ...guesses]
    const held = await Promise.all(ahead.map((miss) => isHeld(witness, miss)))
    const plan = { key, seeds: ahead.filter((_, i) => held[i]) }
    return openState({ rpc, chain, suspect: target.address, memory, plan })
  }
  const { simulator, bytecodeJudge } = engines
  const traderSecret = createHash('sha256').update(name).digest()
  const dependencies = { simulator, traderSecret, clock, openState: open, readTransfers: NO_LOGS, readShares: NO_LOGS }
  const checkHoneypot = createCheckHoneypot({ ...dependencies, recipes: createRecipeMemory(), looksAround: false })
  const target = { chain, address }
  const pin = () => open(target, tradePlan('simulate', target))
  try {
    // One after the other: questions that are asked at the same time fail together.
    return {
      trade: await orFailed(pin().then((state) => checkTrade(dependencies, target, state))),
      honeypot: await orFailed(checkHoneypot(target)),
      bytecode: await orFailed(pin().then((state) => bytecodeJudge.judge({ state, ...target }))),
      refused: node.refused(),
    }
  } finally {
    await rpc.close()
    await node.stop()
  }
}

const orFailed = <Report>(work: Promise<Report>): Promise<Report | Failure> =>
  work.catch((error: unknown) => ({ failed: true, error: error as Error }))

async function isHeld(witness: Witness, miss: StateMiss): Promise<boolean> {
  const ask = async () => {
    if (miss.kind === 'blockHash') await witness.blockHash(miss.number)
    else if (miss.kind === 'storage') await witness.storage(miss.address, miss.slot)
    else await witness.code(miss.address)
  }
  return ask().then(
    () => true,
    () => false,
  )
}
