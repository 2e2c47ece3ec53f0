import { type Chain, hardforkAt } from '../../chains/chain.js'
import { createEvm } from '../../evm/create-evm.js'
import type { TransactionResult } from '../../evm/transaction.js'
import { type Address, bytesToHex, hexToBytes } from '../../hex.js'
import type { StateOverrides } from '../../rpc/methods.js'
import type { Suspect } from '../../rpc/suspect.js'
import { readerOf } from '../../state/known-state.js'
import type { PinnedBlock, StateSnapshot } from '../../state/state-source.js'
import type { NodeSaid } from './ask-node.js'
import type { Difference } from './compare-results.js'
import type { RecordedTransaction } from './recorded-run.js'

/** A transaction of which a node says something else than we do, with all that replays it. */
export interface Disagreement extends RecordedTransaction {
  chainId: number
  block: PinnedBlock
  /** Whose analysis it was, and which part of it. */
  suspect: Suspect
  scenario: string
  differences: readonly Difference[]
  theirs: NodeSaid
  /** What the run had read of the pinned block. */
  state: StateSnapshot
}

/** As text, from which {@link parseDisagreement} makes the same again. */
export function writeDisagreement(disagreement: Disagreement): string {
  return JSON.stringify({ format: FORMAT, ...disagreement }, (_, value: unknown) => {
    if (typeof value === 'bigint') return { $bigint: String(value) }
    if (value instanceof Map) return { $map: [...value] }
    return value instanceof Uint8Array ? { $bytes: bytesToHex(value) } : value
  })
}

/** Throws a `SyntaxError` for what {@link writeDisagreement} did not write. */
export function parseDisagreement(text: string): Disagreement {
  const { format, ...disagreement } = JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('$bigint' in value) return BigInt(String(value.$bigint))
    if ('$map' in value) return new Map(value.$map as [unknown, unknown][])
    return '$bytes' in value ? hexToBytes(String(value.$bytes)) : value
  })
  if (format !== FORMAT) throw new SyntaxError(`it is not of the format ${FORMAT}`)
  return disagreement
}

const FORMAT = 'second-opinion/1'

/** What our engine makes of the transaction, from what was kept and nothing else. */
export function replayDisagreement(chain: Chain, disagreement: Disagreement): TransactionResult {
  const { block, environment, changes, state, tx } = disagreement
  const evm = createEvm({
    state: readerOf(state),
    block: environment,
    hardfork: hardforkAt(chain, block.timestamp),
    engine: chain.engine,
  })
  for (const [address, change] of Object.entries(changes) as [Address, StateOverrides[Address]][]) {
    if (change.code !== undefined) evm.setCode(address, hexToBytes(change.code))
    if (change.balance !== undefined) evm.setBalance(address, BigInt(change.balance))
    if (change.nonce !== undefined) evm.setNonce(address, BigInt(change.nonce))
    for (const [slot, value] of Object.entries(change.stateDiff ?? {}))
      evm.setStorage(address, BigInt(slot), BigInt(value))
  }
  // The run knew of accounts that there cannot be without asking; here they are empty as well.
  return evm.transact(tx)
}
