import { AnalysisResistedError } from '../../evm/limits.js'
import type { Address, Hex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import type { PhishingFacts } from './phishing-facts.js'
import { probeContract } from './probe-contract.js'
import { probeOwnCode } from './probe-own-code.js'
import { readEntryPoints } from './read-functions.js'

export interface PhishingInput {
  address: Address
  /** Unguessable, and the same each time this report is computed. */
  seed: Hex
}

/**
 * What becomes of those who approve, sign or pay; and of an account by the code that it runs, or
 * that other accounts are to run.
 */
export const probeTarget = defineScenario({
  module: import.meta.url,
  name: 'probeTarget',
  run(fork, { address, seed }: PhishingInput): PhishingFacts {
    const random = createSeededRandom(seed)
    const facts = branch(fork, () => probeContract(fork, address, random))
    const { kind, delegate = address } = facts
    if (kind === 'empty' || (kind === 'contract' && !isAccountCode(fork, address))) return facts
    try {
      const own = probeOwnCode(fork, random, { address, delegate })
      const findings = own.findings.filter(({ id }) => id !== 'delegation-sweeper')
      return { ...facts, findings: [...findings, ...facts.findings.filter(({ id }) => !isTold(id, findings))] }
    } catch (error) {
      if (!(error instanceof AnalysisResistedError)) throw error
      return { ...facts, gaps: [...facts.gaps, error.shortMessage] }
    }
  },
})

/** What comes of the same openness, seen by those who approve something to the account. */
const isTold = (id: string, found: readonly unknown[]) => found.length > 0 && id !== 'delegation-sweeper'

/**
 * What only accounts have: EIP-1271's question, ERC-4337's of each form, and the modes of ERC-7821.
 */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['0x1626ba7e', '0x3a871cdd', '0x19822f7c', '0xd03c7914'])

/** Whether the code says that it is an account's. */
function isAccountCode({ evm }: Fork, address: Address): boolean {
  const { entries } = readEntryPoints(evm.code(address), evm.account(address).codeHash)
  return entries.some(({ selector }) => selector !== undefined && OF_ACCOUNTS.has(selector))
}
