import type { RpcBudget } from '../rpc/budget.js'
import type { SolanaAccount } from './account.js'
import { address, addressAt, addressBytes, type SolanaAddress } from './address.js'
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

/** What machines are made with: as the clusters had it at their release. */
function inactiveAtRelease(): ReadonlySet<SolanaAddress> {
  if (atRelease !== undefined) return atRelease
  const machine = new (loadLiteSvm().LiteSvm)()
  const isOn = (feature: SolanaAddress) => machine.getAccount(addressBytes(feature))?.data()[0] === 1
  atRelease = new Set(knownFeatures().filter((feature) => !isOn(feature)))
  return atRelease
}

/** A constant of the machine's release, which takes 20 ms to find out. */
let atRelease: ReadonlySet<SolanaAddress> | undefined

/**
 * Those of the known changes that the cluster has not switched on, sorted. A cluster goes on from
 * what was on at the machine's release, and never touches the switches that exist for tests. What
 * one node says against that needs a second one that says the same. `undefined` when no node says,
 * or what it says is not believed.
 */
export async function readInactiveFeatures(rpc: SolanaRpc, budget: RpcBudget): Promise<SolanaAddress[] | undefined> {
  const known = knownFeatures()
  if (known.length === 0) return []
  const requests = Array.from({ length: Math.ceil(known.length / MAX_ACCOUNTS_PER_CALL) }, (_, i) =>
    getMultipleAccounts({
      addresses: known.slice(i * MAX_ACCOUNTS_PER_CALL, (i + 1) * MAX_ACCOUNTS_PER_CALL),
      prefixBytes: STATE_BYTES,
    }),
  )
  const options = { suspect: 'chain', budget } as const
  const answers = await rpc.batch(requests, options).catch(() => undefined)
  const told =
    answers &&
    inactiveIn(
      known,
      answers.map((answer) => (answer.ok ? answer.value.value : [])),
    )
  if (told === undefined || isPlausible(told, inactiveAtRelease())) return told
  const again = await Promise.all(requests.map((request) => rpc.secondOpinion(request, options)))
  const confirmed = inactiveIn(
    known,
    again.map((answer) => answer?.value ?? []),
  )
  return confirmed?.join() === told.join() ? told : undefined
}

function inactiveIn(
  known: readonly SolanaAddress[],
  answers: readonly (readonly (SolanaAccount | undefined)[])[],
): SolanaAddress[] | undefined {
  const accounts = answers.flat()
  return accounts.length < known.length ? undefined : known.filter((_, i) => !isActive(accounts[i])).sort()
}

function isPlausible(inactive: readonly SolanaAddress[], release: ReadonlySet<SolanaAddress>): boolean {
  const behind = inactive.filter((feature) => !release.has(feature))
  const untouched = FOR_TESTS.every((feature) => inactive.includes(feature) === release.has(feature))
  return behind.length <= MAX_BEHIND && untouched
}

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
