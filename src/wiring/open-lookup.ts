import type { Chain } from '../chains/chain.js'
import { ethereum } from '../chains/ethereum.js'
import { toQuantity } from '../hex.js'
import { createLookup, type Lookup } from '../lookup/create-lookup.js'
import { ethCall, getCode } from '../rpc/methods.js'
import type { RpcClient } from '../rpc/rpc-client.js'

/** Looks up with the nodes of the analyses; a chain without a client does not answer. */
export function openLookup(chains: readonly Chain[], rpcClients: ReadonlyMap<number, RpcClient>): Lookup {
  const clientOf = (id: number): RpcClient => {
    const rpc = rpcClients.get(id)
    if (!rpc) throw new RangeError(`no client for chain ${id}`)
    return rpc
  }
  return createLookup({
    chains,
    getCode: async ({ id }, address) => clientOf(id).call(getCode(address, 'latest'), { suspect: address }),
    askEthereum: async (to, data) =>
      clientOf(ethereum.id).call(ethCall({ to, data, gas: RESOLVER_GAS }, 'latest'), { suspect: to }),
  })
}

/** A resolver reads a few words; one that wants more is up to something else. */
const RESOLVER_GAS = toQuantity(1_000_000)
