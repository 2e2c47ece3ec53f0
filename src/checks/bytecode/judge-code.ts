import { type Address, EMPTY_CODE_HASH } from '../../hex.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { keyOf } from '../../state/known-state.js'
import type { StateMiss } from '../../state/state-reader.js'
import type { BytecodeReport } from './bytecode-report.js'
import { checkBytecode } from './check-bytecode.js'
import type { CodeState } from './read-subject.js'

/** Where the code is, and the time of the block: seconds since 1970. */
export interface CodeSubject {
  address: Address
  timestamp: bigint
}

/**
 * Account, slots, delegates and their slots, three levels deep, and who can exchange them: each at
 * most two requests to the node.
 */
const MAX_ROUNDS = 20

/** Reads what an address can do from its code. Plays nothing on the fork. */
export const judgeCode = defineScenario({
  module: import.meta.url,
  name: 'judgeCode',
  maxRounds: MAX_ROUNDS,
  run: (fork, { address, timestamp }: CodeSubject): BytecodeReport =>
    checkBytecode({ state: askedOf(fork, timestamp), address, chain: fork.chain }),
})

/** The fork's state as far as it was asked for, which ends the run where some of it is unknown. */
function askedOf({ evm }: Fork, timestamp: bigint): CodeState {
  const asked = new Set<string>()
  const codes = new Map<string, Uint8Array>()
  const has = (miss: StateMiss) => asked.has(keyOf(miss))
  return {
    block: { timestamp, number: evm.block.number },
    load(misses) {
      for (const miss of misses) {
        asked.add(keyOf(miss))
        if (miss.kind === 'account') codes.set(evm.account(miss.address).codeHash, evm.code(miss.address))
        if (miss.kind === 'storage') evm.storage(miss.address, miss.slot)
      }
      if (evm.misses.length > 0) throw new Error('state is missing')
    },
    account: (address) => (has({ kind: 'account', address }) ? evm.account(address) : undefined),
    code: (hash) => (hash === EMPTY_CODE_HASH ? new Uint8Array() : codes.get(hash)),
    storage: (address, slot) => (has({ kind: 'storage', address, slot }) ? evm.storage(address, slot) : undefined),
  }
}
