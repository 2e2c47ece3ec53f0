import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import { traderSeedAt } from '../simulation/trader-seed.js'
import { describeInputs, type ReportCheck, type ReportInputs, toRequest, toSolanaRequest } from './inputs.js'
import type { ReportSignature, SigningKey } from './signing-key.js'

/**
 * Completes a report: says what it was made from, and signs it where the operator has a key. The
 * last thing that happens to a report.
 */
export interface ReportSeal {
  /** For chains with blocks. */
  seal<Body extends { block: { hash: string } }>(check: EvmCheck, target: AnalysisTarget, body: Body): Sealed<Body>
  /** For Solana, whose reports are read over a few slots. */
  sealSolana<Body extends { slot: { first: number; last: number } }>(
    check: SolanaCheck,
    target: SolanaTarget,
    body: Body,
  ): Sealed<Body>
  /** What reports are signed with; `undefined` where they are not. */
  readonly signingKey: Pick<SigningKey, 'keyId' | 'publicKey'> | undefined
}

export type Sealed<Body> = Body & { inputs: ReportInputs; signature?: ReportSignature }
export type EvmCheck = Extract<ReportCheck, 'simulation' | 'honeypot' | 'phishing'>
type SolanaCheck = Exclude<ReportCheck, EvmCheck>

/** `traderSecret` is the one that the checks work with. */
export function createReportSeal({
  traderSecret,
  signingKey,
}: {
  traderSecret: Uint8Array
  signingKey: SigningKey | undefined
}): ReportSeal {
  const complete = <Body extends object>(body: Body, inputs: ReportInputs): Sealed<Body> => {
    const report = { ...body, inputs }
    return signingKey ? { ...report, signature: signingKey.sign(report) } : report
  }
  return {
    seal(check, target, body) {
      const { hash } = body.block
      const traderSeed = target.traderSeed ?? traderSeedAt(traderSecret, target.chain.id, hash)
      return complete(body, describeInputs({ check, request: toRequest(target), traderSeed }, hash))
    },
    sealSolana(check, target, body) {
      const { first, last } = body.slot
      return complete(body, describeInputs({ check, request: toSolanaRequest(target) }, { first, last }))
    },
    signingKey,
  }
}
