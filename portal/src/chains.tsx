import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { api } from './api/api-client.js'
import { CHAINS } from './chain-list.js'

export interface ChainEntry {
  id: string
  name: string
  /** Symbol of the native coin. */
  coin: string
}

export interface Example {
  name: string
  chain: string
  address: string
}

interface Served {
  chains: readonly ChainEntry[]
  examples?: readonly Example[]
}

const ServedContext = createContext<Served>({ chains: CHAINS })

/** The chains that the service judges; the ones that come with it until it has answered. */
export function ChainsProvider({ children }: { children: ReactNode }) {
  const [served, setServed] = useState<Served>({ chains: CHAINS })
  useEffect(() => {
    api.chains().then(
      ({ chains, examples }) =>
        setServed({
          chains: chains.map(({ id, ...rest }) => ({ ...rest, id: String(id) })),
          examples: examples.map(({ chainId, ...rest }) => ({ ...rest, chain: String(chainId) })),
        }),
      () => setServed({ chains: CHAINS, examples: [] }),
    )
  }, [])
  return <ServedContext value={served}>{children}</ServedContext>
}

export const useChains = () => use(ServedContext).chains

/** What the operator offers to look at; absent until the service has answered. */
export const useExamples = () => use(ServedContext).examples

/** Those whose contracts an EVM runs. */
export const useEvmChains = () => useChains().filter(({ id }) => id !== 'SOL')

/** A chain by its id; one that is not judged has a name that says no more. */
export function useChain(id: string): ChainEntry {
  return useChains().find((chain) => chain.id === id) ?? { id, name: `Chain ${id}`, coin: 'coin' }
}
