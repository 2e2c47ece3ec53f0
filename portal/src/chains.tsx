import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { api } from './api/api-client.js'
import { CHAINS } from './chain-list.js'

export interface ChainEntry {
  id: string
  name: string
  /** Symbol of the native coin. */
  coin: string
}

const ChainsContext = createContext<readonly ChainEntry[]>(CHAINS)

/** The chains that the service judges; the ones that come with it until it has answered. */
export function ChainsProvider({ children }: { children: ReactNode }) {
  const [chains, setChains] = useState<readonly ChainEntry[]>(CHAINS)
  useEffect(() => {
    api.chains().then(
      ({ chains: served }) => setChains(served.map(({ id, ...rest }) => ({ ...rest, id: String(id) }))),
      () => undefined,
    )
  }, [])
  return <ChainsContext value={chains}>{children}</ChainsContext>
}

export const useChains = () => use(ChainsContext)

/** Those whose contracts an EVM runs. */
export const useEvmChains = () => useChains().filter(({ id }) => id !== 'SOL')

/** A chain by its id; one that is not judged has a name that says no more. */
export function useChain(id: string): ChainEntry {
  return useChains().find((chain) => chain.id === id) ?? { id, name: `Chain ${id}`, coin: 'coin' }
}
