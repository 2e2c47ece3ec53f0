import type { SignIn } from '../accounts/sign-in.js'
import type { WalletKeys } from '../accounts/wallet-keys.js'
import type { Batches } from '../batches/create-batches.js'
import type { HoneypotReport } from '../checks/honeypot/check-honeypot.js'
import type { PhishingReport } from '../checks/phishing/check-phishing.js'
import type { SimulationChecks } from '../checks/simulation-checks.js'
import type { CheckSolanaToken } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { KeyVerifier } from '../keys/verify.js'
import type { Limiter } from '../limits/limiter.js'
import type { ReportSeal } from '../reports/seal.js'
import type { Slots } from '../turns/slots.js'
import type { AnswerCache } from './answer-cache.js'
import type { Log } from './log.js'

/** Everything that the routes need from the outside world. Each route names the parts it uses. */
export interface Services {
  config: Pick<Config, 'compat' | 'engineVersion' | 'privateWebhooks' | 'publicOrigins' | 'trustProxy'>
  clock: Clock
  log: Log
  keys: Pick<KeyVerifier, 'verify'>
  signIn: SignIn
  walletKeys: WalletKeys
  limiter: Limiter
  /** Bounds the analyses that run and wait. */
  slots: Slots
  /** Answers that are still right. */
  answers: AnswerCache
  /** Says of each report what it was made from, and signs it. */
  seals: ReportSeal
  /** Many targets at once, whether anybody waits or not. */
  batches: Pick<Batches, 'create' | 'read'>
  /** What must answer for the service to be of use, by name. Each rejects when it does not. */
  dependencies: Readonly<Record<string, () => Promise<void>>>
  /** Simulation, bytecode and history of one target. Rejects when no check could begin, for instance because no node answers. */
  executeSimulation(target: AnalysisTarget): Promise<SimulationChecks>
  /** Taxes and traps of one target now and in later windows. Rejects when no node answers. */
  checkHoneypot(target: AnalysisTarget): Promise<HoneypotReport>
  /** What a contract does with what others approve, sign or pay. Rejects when no node answers. */
  checkPhishing(target: AnalysisTarget): Promise<PhishingReport>
  /** Everything about one Solana token. Rejects when no node answers. */
  checkSolanaToken: CheckSolanaToken
}
