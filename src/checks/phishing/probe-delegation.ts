import { type Address, type Hex, hexToBytes } from '../../hex.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario } from '../../simulation/scenario.js'
import type { PhishingFacts } from './phishing-facts.js'
import { probeOwnCode } from './probe-own-code.js'
import { createKeyedStranger } from './victim.js'

export interface DelegationInput {
  /** Whose code the account would run. */
  delegate: Address
  seed: Hex
  /** The account that asks: where its own address stands in `storage`, the victim's is written. */
  account: Address | undefined
  /** What the request itself writes into the account's storage, as an initialiser does. */
  storage: ReadonlyMap<bigint, bigint>
}

/**
 * Has an account that owns things take the code of another for its own (EIP-7702), and tries as
 * others what they can take of it.
 */
export const probeDelegation = defineScenario({
  module: import.meta.url,
  name: 'probeDelegation',
  run(fork, { delegate, seed, account, storage }: DelegationInput): PhishingFacts {
    const { evm } = fork
    const random = createSeededRandom(seed)
    if (evm.code(delegate).length === 0) {
      const { balance, nonce } = evm.account(delegate)
      const isUnused = balance === 0n && nonce === 0n
      return { kind: 'empty', isUnused, delegate, findings: [], gaps: [], plays: 0 }
    }
    const { address } = createKeyedStranger(fork, random, 'account')
    evm.setCode(address, hexToBytes(`0xef0100${delegate.slice(2)}`))
    for (const [slot, value] of storage) {
      evm.setStorage(address, slot, account !== undefined && value === BigInt(account) ? BigInt(address) : value)
    }
    return probeOwnCode(fork, random, { address, delegate })
  },
})
