import { address } from '@solana/kit'
import type { RpcBudget } from '../rpc/budget.js'
import type { SolanaAccount } from './account.js'
import { addressAt, type SolanaAddress } from './address.js'
import { getMultipleAccounts, MAX_ACCOUNTS_PER_CALL } from './rpc/solana-methods.js'
import type { SolanaRpc } from './rpc/solana-rpc-client.js'
import { loadLiteSvm, SvmUnavailableError } from './svm/load-litesvm.js'

/**
 * Owns an account for each change of the runtime's rules, which says whether the cluster has
 * switched it on.
 */
export const FEATURE_PROGRAM = address('Feature111111111111111111111111111111111111')

/** Changes of rules that the virtual machine knows. Empty where it cannot be loaded. */
export function knownFeatures(): SolanaAddress[] {
  try {
    return loadLiteSvm()
      .FeatureSet.allEnabled()
      .getActiveFeatures()
      .map((id) => addressAt(new Uint8Array(id)))
  } catch (error) {
    if (error instanceof SvmUnavailableError) return []
    throw error
  }
}

/**
 * Those of the known changes that the cluster has not switched on, sorted. `undefined` when no node
 * says, or says that nothing was ever switched on, which is true of no cluster.
 */
export async function readInactiveFeatures(rpc: SolanaRpc, budget: RpcBudget): Promise<SolanaAddress[] | undefined> {
  const known = knownFeatures()
  if (known.length === 0) return []
  const parts = Array.from({ length: Math.ceil(known.length / MAX_ACCOUNTS_PER_CALL) }, (_, i) =>
    known.slice(i * MAX_ACCOUNTS_PER_CALL, (i + 1) * MAX_ACCOUNTS_PER_CALL),
  )
  const requests = parts.map((addresses) => getMultipleAccounts({ addresses, prefixBytes: STATE_BYTES }))
  const answers = await rpc.batch(requests, { suspect: 'chain', budget }).catch(() => undefined)
  const accounts = answers?.flatMap((answer) => (answer.ok ? answer.value.value : []))
  if (accounts === undefined || accounts.length < known.length) return undefined
  const inactive = known.filter((_, i) => !isActive(accounts[i]))
  return inactive.length < known.length ? inactive.sort() : undefined
}

/** Whether it is on, and since which slot. */
const STATE_BYTES = 9

const isActive = (account: SolanaAccount | undefined) => account?.owner === FEATURE_PROGRAM && account.data[0] === 1
