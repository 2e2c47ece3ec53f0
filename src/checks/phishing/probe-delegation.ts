import { type Address, type Hex, hexToBytes } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { createSeededRandom, type SeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { dataOf } from './call-data.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import { play } from './phishing-play.js'
import { probeCode } from './probe-target.js'
import { type EntryPoint, readEntryPoints } from './read-functions.js'
import { createKeyedStranger } from './victim.js'

export interface DelegationInput {
  /** Whose code the account would run. */
  delegate: Address
  seed: Hex
  /** The account that asks: where its own address stands in `storage`, the victim's is written. */
  account: Address | undefined
  /** What the request itself writes into the account's storage, as an initialiser does. */
  storage: ReadonlyMap<bigint, bigint>
}

/**
 * Has an account that owns things take the code of another for its own (EIP-7702), and tries as
 * others what they can take of it.
 */
export const probeDelegation = defineScenario({
  module: import.meta.url,
  name: 'probeDelegation',
  run(fork, { delegate, seed, account, storage }: DelegationInput): PhishingFacts {
    const { evm } = fork
    const random = createSeededRandom(seed)
    const isEmpty = evm.code(delegate).length === 0
    const { balance, nonce } = evm.account(delegate)
    if (isEmpty) {
      const isUnused = balance === 0n && nonce === 0n
      return { kind: 'empty', isUnused, delegate, findings: [], gaps: [], plays: 0 }
    }
    // The account that the check makes its victim: what it owns is what is at stake.
    const { address } = createKeyedStranger(fork, random, 'victim')
    evm.setCode(address, hexToBytes(`0xef0100${delegate.slice(2)}`))
    for (const [slot, value] of storage) {
      evm.setStorage(address, slot, account !== undefined && value === BigInt(account) ? BigInt(address) : value)
    }
    const facts = branch(fork, () => probeCode(fork, address, random))
    const findings = facts.findings.flatMap((finding) => ofDelegation(finding, delegate))
    if (findings.length > 0) return { ...facts, findings }
    const { found, isCut } = comeFirst(fork, random, { address, delegate })
    return {
      ...facts,
      findings: found,
      gaps: [...facts.gaps, ...(isCut ? ['more ways to come first than are tried'] : [])],
    }
  },
})

/** Calls by which another account may make itself the owner, that are gone on with. */
const MAX_TAKEOVERS = 3

/**
 * Has another account call each function with its own address before the wallet does, as where an
 * initialiser is open to all, and tries once more what it can then take.
 */
function comeFirst(
  fork: Fork,
  random: SeededRandom,
  { address, delegate }: { address: Address; delegate: Address },
): { found: PhishingFinding[]; isCut: boolean } {
  const { evm } = fork
  // The account as which the check acts where it is any address.
  const outsider = random.address('outsider')
  evm.addStranger(outsider)
  const { entries } = readEntryPoints(evm.code(delegate), evm.account(delegate).codeHash)
  const calls = entries.map((entry) => ownNameIn(entry, outsider))
  const takeovers = calls.filter((data) => {
    const { success, storage } = play(fork, { from: outsider, to: address, data })
    return success && [...(storage.writes.get(address)?.values() ?? [])].some(({ after }) => names(after, outsider))
  })
  for (const data of takeovers.slice(0, MAX_TAKEOVERS)) {
    const facts = branch(fork, () => {
      sendAs(fork, { from: outsider, to: address, data, gasLimit: INITIALISER_GAS })
      return probeCode(fork, address, random)
    })
    const found = facts.findings.flatMap((finding) => ofDelegation(finding, delegate))
    if (found.length > 0) return { found, isCut: false }
  }
  return { found: [], isCut: takeovers.length > MAX_TAKEOVERS }
}

/** Writing down an owner, a validator and some settings. */
const INITIALISER_GAS = 1_200_000n

/** The call with the account in the place of every address, and one in that of everything else. */
const ownNameIn = (entry: EntryPoint, account: Address) =>
  dataOf(
    entry,
    entry.template.leaves.map(({ type }) => (type === 'address' ? BigInt(account) : type === 'bytes' ? '0x' : 1n)),
  )

const ADDRESS_MASK = (1n << 160n) - 1n
/** Beside flags or behind them: an address stands at some byte of the word. */
const PLACES = Array.from({ length: 13 }, (_, byte) => BigInt(8 * byte))
const names = (word: bigint, account: Address) =>
  PLACES.some((bits) => ((word >> bits) & ADDRESS_MASK) === BigInt(account))

/**
 * What others did to the account without its consent. What it does by itself, by its signature, or
 * through a contract whose rules were not seen to give way, is what such code is for.
 */
function ofDelegation(finding: PhishingFinding, delegate: Address): PhishingFinding[] {
  if (finding.id === 'delegation-sweeper') return [{ ...finding, grantedTo: delegate }]
  const isTaken = TAKEN.includes(finding.id) && finding.by !== 'victim'
  return isTaken ? [{ ...finding, id: 'open-delegation', check: undefined, grantedTo: delegate }] : []
}

const TAKEN: readonly PhishingFinding['id'][] = [
  'allowance-puller',
  'permit2-puller',
  'nft-puller',
  'guarded-executor',
  'hidden-operator',
  'open-executor',
]
