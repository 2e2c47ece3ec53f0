import type { RpcBudget } from '../rpc/budget.js'
import type { SolanaAccount } from './account.js'
import { address, type SolanaAddress } from './address.js'
import { OFF_AT_RELEASE, ON_AT_RELEASE } from './release-features.js'
import { getMultipleAccounts, MAX_ACCOUNTS_PER_CALL } from './rpc/solana-methods.js'
import type { SolanaRpc } from './rpc/solana-rpc-client.js'

/**
 * Owns an account for each change of the runtime's rules, which says whether the cluster has
 * switched it on.
 */
export const FEATURE_PROGRAM = address('Feature111111111111111111111111111111111111')

/** Changes of rules that the virtual machine knows. */
export const KNOWN_FEATURES: readonly SolanaAddress[] = [...ON_AT_RELEASE, ...OFF_AT_RELEASE]

/**
 * Those of the known changes that the cluster has not switched on, sorted. A cluster goes on from
 * what was on at the machine's release, and never touches the switches that exist for tests. What
 * one node says against that needs a second one that says the same. `undefined` when no node says,
 * or what it says is not believed.
 */
export async function readInactiveFeatures(rpc: SolanaRpc, budget: RpcBudget): Promise<SolanaAddress[] | undefined> {
  const requests = Array.from({ length: Math.ceil(KNOWN_FEATURES.length / MAX_ACCOUNTS_PER_CALL) }, (_, i) =>
    getMultipleAccounts({
      addresses: KNOWN_FEATURES.slice(i * MAX_ACCOUNTS_PER_CALL, (i + 1) * MAX_ACCOUNTS_PER_CALL),
      prefixBytes: STATE_BYTES,
    }),
  )
  const options = { suspect: 'chain', budget } as const
  const answers = await rpc.batch(requests, options).catch(() => undefined)
  const told = answers && inactiveIn(answers.map((answer) => (answer.ok ? answer.value.value : [])))
  if (told === undefined || isPlausible(told)) return told
  const again = await Promise.all(requests.map((request) => rpc.secondOpinion(request, options)))
  const confirmed = inactiveIn(again.map((answer) => answer?.value ?? []))
  return confirmed?.join() === told.join() ? told : undefined
}

function inactiveIn(answers: readonly (readonly (SolanaAccount | undefined)[])[]): SolanaAddress[] | undefined {
  const accounts = answers.flat()
  return accounts.length < KNOWN_FEATURES.length
    ? undefined
    : KNOWN_FEATURES.filter((_, i) => !isActive(accounts[i])).sort()
}

function isPlausible(inactive: readonly SolanaAddress[]): boolean {
  const behind = inactive.filter((feature) => !RELEASE.has(feature))
  const untouched = FOR_TESTS.every((feature) => inactive.includes(feature) === RELEASE.has(feature))
  return behind.length <= MAX_BEHIND && untouched
}

const RELEASE: ReadonlySet<SolanaAddress> = new Set(OFF_AT_RELEASE)
/** A cluster that runs the last release but one lacks no more of this one's. */
const MAX_BEHIND = 24
/**
 * The runtime's own tests switch programs of the oldest format off and on with these; nearly all
 * programs there are would end.
 */
const FOR_TESTS: readonly SolanaAddress[] = [
  address('TestFeature11111111111111111111111111111111'),
  address('TestFeature21111111111111111111111111111111'),
]

/** Whether it is on, and since which slot. */
const STATE_BYTES = 9

const isActive = (account: SolanaAccount | undefined) => account?.owner === FEATURE_PROGRAM && account.data[0] === 1
