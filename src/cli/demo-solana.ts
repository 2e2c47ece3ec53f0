import type { SolanaExpectation } from '../devnet/solana/solana-example.js'
import { SOLANA_EXAMPLES, startSolanaDevnet } from '../devnet/solana/start-solana-devnet.js'
import type { SolanaTokenReportBody } from '../reports/solana/schema.js'
import { SvmUnavailableError } from '../solana/svm/load-litesvm.js'

/** One that is fine, one that its owner can stop, one that turns hostile in a week. */
const SHOWN = ['plain', 'freezable', 'scheduled fee']

export interface ListedSolanaExample {
  name: string
  summary: string
  targetContractAddress: string
  chainId: 'SOL'
  expect: SolanaExpectation
}

export interface SolanaExamples {
  url: string
  listed: ListedSolanaExample[]
  stop(): Promise<void>
}

/**
 * Starts a Solana devnet with the examples of the demo; `undefined`, and a line that says so, where
 * Solana programs cannot be run.
 */
export async function startSolanaExamples(write: (text: string) => void): Promise<SolanaExamples | undefined> {
  try {
    const examples = SOLANA_EXAMPLES.filter(({ name }) => SHOWN.includes(name))
    const { url, examples: placed, stop } = await startSolanaDevnet({ examples })
    const listed = placed.map(({ name, summary, address, expect }) => {
      return { name, summary, targetContractAddress: address, chainId: 'SOL' as const, expect }
    })
    return { url, listed, stop }
  } catch (error) {
    if (!(error instanceof SvmUnavailableError)) throw error
    write(`${error.shortMessage}: the Solana examples are left out.\n`)
    return undefined
  }
}

/** What the answer says otherwise than expected, a line each; empty when all is as it should be. */
export function findSolanaMismatches(
  expected: SolanaExpectation,
  answer: SolanaTokenReportBody | { success: false; errorReason: string },
): string[] {
  if (!answer.success) return [`the check answered: ${answer.errorReason}`]
  const { checks, honeypotResponse } = answer
  const complaints: string[] = []
  const compare = (name: string, actual: unknown, wanted: unknown) => {
    if (wanted !== undefined && actual !== wanted) complaints.push(`${name} is ${actual}, expected ${wanted}`)
  }
  compare('byteCodeResult.trustStatus', checks.byteCodeResult.trustStatus, expected.trustStatus)
  compare('overall.level', answer.overall?.level, expected.trustStatus)
  compare('honeypotResponse.riskScore', honeypotResponse.riskScore, answer.overall?.score)
  compare('honeypotResponse.isHoneypot', honeypotResponse.isHoneypot, expected.isHoneypot)
  compare('honeypotResponse.isTimeHoneypot', honeypotResponse.isTimeHoneypot, expected.isTimeHoneypot)
  expected.windows?.forEach(([buy, sell], i) => {
    const window = honeypotResponse.timeTravelResults[i]
    compare(`${window?.label} buy tax`, Math.round(window?.buyTax ?? -1), buy === 'x' ? 100 : buy)
    compare(`${window?.label} sell tax`, Math.round(window?.sellTax ?? -1), sell === 'x' ? 100 : sell)
  })
  return complaints
}
