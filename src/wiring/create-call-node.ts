import type { CallNode } from '../accounts/verify-signature.js'
import { toQuantity } from '../hex.js'
import { ethCall } from '../rpc/methods.js'
import type { RpcClient } from '../rpc/rpc-client.js'

/** What contract wallets are asked at sign-in; chains without a client do not reach it. */
export function createCallNode(rpcClients: ReadonlyMap<number, RpcClient>): CallNode {
  return async (chainId, { wallet, to, data }) => {
    const rpc = rpcClients.get(chainId)
    if (!rpc) throw new RangeError(`no client for chain ${chainId}`)
    const request = ethCall({ ...(to && { to }), data, gas: WALLET_CALL_GAS }, 'latest')
    return rpc.call(request, { suspect: wallet })
  }
}

/** Enough to put a wallet in place and have it check a few signatures. */
const WALLET_CALL_GAS = toQuantity(10_000_000)
