import type { Address, Hex } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { dataOf } from './call-data.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import { type Outcome, play } from './phishing-play.js'
import { probeContract } from './probe-contract.js'
import { type EntryPoint, readEntryPoints } from './read-functions.js'

interface OwnCode {
  /** Who runs it. */
  address: Address
  /** Whose code it is. */
  delegate: Address
}

/**
 * Tries as others what they can take of an account by the code that it runs: at once, and where
 * that shows nothing, after they came first.
 */
export function probeOwnCode(fork: Fork, random: SeededRandom, { address, delegate }: OwnCode): PhishingFacts {
  const look = () => probeContract(fork, address, random, { isOwn: true })
  const facts = branch(fork, look)
  const isHeld = (finding: PhishingFinding) => isInCode(fork, delegate, finding.caller)
  const findings = ofDelegation(facts.findings, delegate, isHeld)
  if (findings.length > 0) return { ...facts, findings }
  const { found, isCut } = comeFirst(fork, random, { address, delegate }, look)
  // A contract that only lends its code has nothing of its own that an owner could take: what it
  // tells is what accounts have to do in time.
  const isLent = address === delegate
  return {
    ...facts,
    findings: isLent ? found.map((finding) => ({ ...finding, id: 'unclaimed-account' })) : found,
    gaps: [...facts.gaps, ...(isCut ? ['more ways to come first than are tried'] : [])],
  }
}

/** Calls by which another account may make itself the owner, that are gone on with. */
const MAX_TAKEOVERS = 3

/**
 * Has another account call each function with its own address before the wallet does, as where an
 * initialiser is open to all, and tries once more what it can then take.
 */
function comeFirst(
  fork: Fork,
  random: SeededRandom,
  { address, delegate }: OwnCode,
  look: () => PhishingFacts,
): { found: PhishingFinding[]; isCut: boolean } {
  const { evm } = fork
  // The accounts as which the check acts where it is any address.
  const [outsider, other] = [random.address('outsider'), random.address('another account')]
  for (const each of [outsider, other]) evm.addStranger(each)
  const { entries } = readEntryPoints(evm.code(delegate), evm.account(delegate).codeHash)
  const takeovers = entries.flatMap((entry) => {
    const [own, others] = [outsider, other].map((name) => {
      const data = ownNameIn(entry, name)
      return { data, outcome: play(fork, { from: outsider, to: address, data }) }
    })
    return own && others && isNamed(address, own.outcome, others.outcome) ? [own.data] : []
  })
  for (const data of takeovers.slice(0, MAX_TAKEOVERS)) {
    const facts = branch(fork, () => {
      sendAs(fork, { from: outsider, to: address, data, gasLimit: INITIALISER_GAS })
      return look()
    })
    // The account that it named signs now, too.
    const isHeld = (finding: PhishingFinding) => finding.caller === outsider || isInCode(fork, delegate, finding.caller)
    const found = ofDelegation(facts.findings, delegate, isHeld)
    if (found.length > 0) return { found, isCut: false }
  }
  return { found: [], isCut: takeovers.length > MAX_TAKEOVERS }
}

/** Writing down an owner, a validator and some settings. */
const INITIALISER_GAS = 1_200_000n

/** The call with the account in the place of every address, and one in that of everything else. */
const ownNameIn = (entry: EntryPoint, account: Address): Hex =>
  dataOf(
    entry,
    entry.template.leaves.map(({ type }) => (type === 'address' ? BigInt(account) : type === 'bytes' ? '0x' : 1n)),
  )

/**
 * Whether the account's own storage tells by the call what it named: the same call with another
 * name writes another word, or elsewhere.
 */
function isNamed(address: Address, own: Outcome, others: Outcome): boolean {
  if (!own.success || !others.success) return false
  const written = others.storage.writes.get(address)
  return [...(own.storage.writes.get(address) ?? [])].some(([slot, { after }]) => written?.get(slot)?.after !== after)
}

/** Whether the code itself holds the account, which no wallet that runs it has chosen. */
function isInCode({ evm }: Fork, delegate: Address, account: Address | undefined): boolean {
  if (account === undefined) return false
  const code = evm.code(delegate)
  return Buffer.from(code.buffer, code.byteOffset, code.length).includes(Buffer.from(account.slice(2), 'hex'))
}

/**
 * What others did to the account without its consent. What it does by itself, by its signature, or
 * through a contract whose rules were not seen to give way, is what such code is for; so is what an
 * account may sign that `isHeld` does not tell of as another's.
 */
function ofDelegation(
  findings: readonly PhishingFinding[],
  delegate: Address,
  isHeld: (finding: PhishingFinding) => boolean,
): PhishingFinding[] {
  const sweepers = findings.filter(({ id }) => id === 'delegation-sweeper')
  const taken = findings.filter((finding) => {
    const { id, by, asset, selector } = finding
    // What is sent on because something came is a sweeper's, and told as such.
    if (asset === undefined && sweepers.some((each) => each.selector === selector)) return false
    return id === 'signed-order' ? isHeld(finding) : TAKEN.includes(id) && by !== 'victim'
  })
  const bySelector = new Map(taken.toReversed().map((finding) => [finding.selector, finding]))
  return [
    ...sweepers.map((finding) => ({ ...finding, grantedTo: delegate })),
    ...[...bySelector.values()]
      .toReversed()
      .map(
        (finding): PhishingFinding => ({ ...finding, id: 'open-delegation', check: undefined, grantedTo: delegate }),
      ),
  ]
}

const TAKEN: readonly PhishingFinding['id'][] = [
  'open-delegation',
  'allowance-puller',
  'permit2-puller',
  'nft-puller',
  'guarded-executor',
  'hidden-operator',
  'secret-puller',
  'open-executor',
]
