import type { Chain } from '../chains/chain.js'
import type { Address, Hex } from '../hex.js'
import { withDeadline } from '../scheduling/with-deadline.js'
import { type AskContract, resolveName } from './resolve-name.js'

/** Where an address is a contract. */
export interface Found {
  chains: readonly Chain[]
  /** Those whose nodes did not answer in time. */
  unanswered: readonly Chain[]
}

/** Finds out what a person means who names neither a chain nor an address. */
export interface Lookup {
  /** On which chains the address has code. Never rejects. */
  findChains(address: Address): Promise<Found>
  /** What a name of ENS stands for. Rejects when Ethereum does not answer. */
  resolve(name: string): Promise<Address | undefined>
}

export interface LookupOptions {
  chains: readonly Chain[]
  getCode(chain: Chain, address: Address): Promise<Hex>
  askEthereum: AskContract
  /** For all chains together. */
  waitMs?: number
}

/** A person waits for it; chains that are slower are named as unanswered. */
const WAIT_MS = 3_000

export function createLookup({ chains, getCode, askEthereum, waitMs = WAIT_MS }: LookupOptions): Lookup {
  const inTime = <T>(work: () => Promise<T>) => withDeadline({ ms: waitMs }, work)
  return {
    async findChains(address) {
      const looks = await Promise.all(
        chains.map(async (chain) => {
          const isThere = await inTime(() => getCode(chain, address)).then(isContract, () => undefined)
          return { chain, isThere }
        }),
      )
      const those = (wanted: boolean | undefined) =>
        looks.filter(({ isThere }) => isThere === wanted).map(({ chain }) => chain)
      return { chains: those(true), unanswered: those(undefined) }
    },
    resolve: (name) => inTime(() => resolveName(name, askEthereum)),
  }
}

/** A wallet that has delegated (EIP-7702) is no contract of its own. */
const isContract = (code: Hex) => code !== '0x' && !code.startsWith('0xef0100')
