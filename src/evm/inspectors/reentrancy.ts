import type { Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { CallEvent, Inspector } from '../inspector.js'

export interface Reentrancy {
  reentered: boolean
  /** The contracts that were re-entered to effect. */
  contracts: Address[]
}

/** A run of frames on one contract's storage, without another contract's frame between them. */
interface Activation {
  address: Address
  /** Depth of its first frame. */
  depth: number
  input: string
  /** Slots it has read or written. */
  seen: Set<bigint>
  /**
   * Slots among them that a later activation of the same contract has changed, by the depth of the
   * change, and that were not read since.
   */
  stale: Map<bigint, number>
  /** Depth of a later activation with the same calldata that has changed storage. */
  repeatedAt: number | undefined
}

/**
 * Sees whether a contract was entered again while its own frame was open, and this mattered: the
 * inner call changed a slot that the outer one had looked at, and the outer one then wrote that
 * slot without looking again; or the very same call changed storage inside itself, and storage was
 * written after it. Read-only re-entry, native coin sent back, and a token that swaps its own fees
 * through the router (which calls it back, and whose balances are read afresh) are none of this.
 */
export function createReentrancyInspector(): Inspector<Reentrancy> {
  let activations: Activation[] = []
  let found: { address: Address; depth: number }[] = []
  const confirmed = new Set<Address>()

  return keepCompiled('reentrancy', {
    onTransaction() {
      activations = []
      found = []
    },
    onCall(event) {
      const address = storageAccount(event)
      if (event.kind === 'SELFDESTRUCT' || activations.at(-1)?.address === address) return
      const input = Buffer.from(event.input.subarray(0, MAX_COMPARED_BYTES)).toString('latin1')
      const { depth } = event
      activations.push({ address, depth, input, seen: new Set(), stale: new Map(), repeatedAt: undefined })
    },
    onCallEnd({ depth, kind, error }) {
      if (kind === 'SELFDESTRUCT') return
      if (activations.at(-1)?.depth === depth) activations.pop()
      if (error === undefined) return
      // What a failed frame has done never happened.
      found = found.filter((one) => one.depth < depth)
      for (const activation of activations) {
        for (const [slot, changedAt] of activation.stale) if (changedAt >= depth) activation.stale.delete(slot)
        if (activation.repeatedAt !== undefined && activation.repeatedAt >= depth) activation.repeatedAt = undefined
      }
    },
    onStorageRead({ slot }) {
      const current = activations.at(-1)
      current?.seen.add(slot)
      current?.stale.delete(slot)
    },
    onStorageWrite({ slot, value, previous, depth }) {
      const current = activations.at(-1)
      if (current === undefined) return
      if (current.stale.has(slot) || current.repeatedAt !== undefined) found.push({ address: current.address, depth })
      current.seen.add(slot)
      if (value === previous) return
      for (const outer of activations) {
        if (outer === current || outer.address !== current.address) continue
        if (outer.seen.has(slot)) outer.stale.set(slot, depth)
        if (outer.input === current.input) outer.repeatedAt = depth
      }
    },
    onTransactionEnd() {
      for (const { address } of found) confirmed.add(address)
    },
    finish: () => ({ reentered: confirmed.size > 0, contracts: [...confirmed] }),
  })
}

/**
 * Calldata is compared to see the same call again; no call needs more than this to tell it apart.
 */
const MAX_COMPARED_BYTES = 512

function storageAccount({ kind, from, to }: CallEvent): Address {
  return kind === 'DELEGATECALL' || kind === 'CALLCODE' ? from : to
}
