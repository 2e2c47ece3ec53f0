import { type ContractFacts, readFacts } from '../../bytecode/facts.js'
import { readProxy } from '../../bytecode/proxy.js'
import { ethereum } from '../../chains/ethereum.js'
import type { Subject } from './subject.js'

/** Code without the chain it stands on: every stored holder counts as living. */
export function createUnknownSubject(code: Uint8Array, facts: ContractFacts = readFacts(code)): Subject {
  const nothing = () => undefined
  return {
    chain: ethereum,
    timestamp: 1_750_000_000n,
    address: '0x00',
    balance: 0n,
    facts,
    delegations: readProxy(facts, nothing),
    implementations: [],
    value: ({ op, value }) => (op === 'const' ? value : undefined),
    word: nothing,
    hasCode: nothing,
    isPool: () => false,
    forwarderAt: () => undefined,
  }
}
