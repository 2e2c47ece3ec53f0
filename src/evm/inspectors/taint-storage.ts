import type { Address } from '../../hex.js'
import type { Word } from '../../instructions/word.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { ByteMask } from './byte-mask.js'

/** Which slots hold tainted words, by contract. */
export interface TaintStorage {
  isClean(): boolean
  store(address: Address, slot: Word, sources: number, mask: ByteMask): void
  load(address: Address, slot: Word): StoredTaint | undefined
  clear(): void
}

export interface StoredTaint {
  sources: number
  mask: ByteMask
}

export function createTaintStorage(): TaintStorage {
  const contracts = new Map<Address, Map<Word, StoredTaint>>()
  return keepCompiled('taint storage', {
    isClean: () => contracts.size === 0,
    store(address, slot, sources, mask) {
      const known = contracts.get(address)
      if (sources === 0) known?.delete(slot)
      else if (known === undefined) contracts.set(address, new Map([[slot, { sources, mask }]]))
      else known.set(slot, { sources, mask })
    },
    load: (address, slot) => contracts.get(address)?.get(slot),
    clear: () => contracts.clear(),
  })
}
