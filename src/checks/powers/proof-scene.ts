import type { Inspector } from '../../evm/inspector.js'
import { bytesToHex } from '../../hex.js'
import { accompliceOf, HOSTILE_CODE } from './hostile-code.js'
import type { ProofStep, Scene } from './power.js'
import type { Buyer, Stage } from './stage.js'

/** A sale that is made at any time: its proof may wait for months. Seconds. */
const NEVER = 2n ** 63n

/**
 * Keeps the transactions that it watches, each once where a wallet sends it again with more gas.
 */
export function createSentSteps(): Inspector<ProofStep[]> {
  const steps: ProofStep[] = []
  return {
    onCall({ depth, from, to, input, value }) {
      if (depth > 0) return
      const step: ProofStep = { from, to, input: bytesToHex(input), ...(value > 0n && { value }) }
      const last = steps.at(-1)
      if (last?.from !== from || last.to !== to || last.input !== step.input) steps.push(step)
    },
    finish: () => steps,
  }
}

/** What a third party has to do before the calls of any proof, and the sale that worked then. */
export function toScene(
  { market, hostile, accomplice }: Pick<Stage, 'market' | 'hostile' | 'accomplice'>,
  { context, held }: Buyer,
  steps: readonly ProofStep[],
): Scene {
  const { venue, pool, via } = market
  const { address } = context.trader
  const order = { pool, ...(via && { via }), trader: address, amountIn: held, deadline: NEVER }
  const { to, data = '0x', value = 0n } = venue.sell(order)
  return {
    code: [
      { address: hostile, code: bytesToHex(HOSTILE_CODE) },
      { address: accomplice, code: bytesToHex(accompliceOf(hostile)) },
    ],
    steps,
    sale: { from: address, to, input: data, ...(value > 0n && { value }) },
  }
}
