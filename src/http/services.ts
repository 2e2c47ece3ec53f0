import type { SignIn } from '../accounts/sign-in.js'
import type { WalletKeys } from '../accounts/wallet-keys.js'
import type { Batches } from '../batches/create-batches.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Contacts } from '../contacts/create-contacts.js'
import type { Feed } from '../feed/create-feed.js'
import type { KeyUsage } from '../keys/key-usage.js'
import type { KeyVerifier } from '../keys/verify-key.js'
import type { Limiter } from '../limits/limiter.js'
import type { Log } from '../log.js'
import type { Lookup } from '../lookup/create-lookup.js'
import type { StatsReader } from '../outcomes/outcome-stats.js'
import type { AnalysisServices } from '../reports/analyses.js'
import type { AnswerCache } from '../reports/answer-cache.js'
import type { ReportSeal } from '../reports/seal.js'
import type { FalseResults } from '../saved-reports/create-false-results.js'
import type { SavedReports } from '../saved-reports/create-saved-reports.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { Blame } from '../scheduling/machine-load.js'
import type { Watches } from '../watching/create-watches.js'

/** Everything that the routes need from the outside world. Each route names the parts it uses. */
export interface Services extends AnalysisServices {
  config: Pick<
    Config,
    | 'chains'
    | 'compat'
    | 'engineVersion'
    | 'examples'
    | 'guestChecks'
    | 'privateWebhooks'
    | 'publicOrigins'
    | 'trustProxy'
  >
  clock: Clock
  log: Log
  keys: Pick<KeyVerifier, 'verify'>
  signIn: SignIn
  walletKeys: WalletKeys
  /** What keys did, by day. */
  usage: Pick<KeyUsage, 'read'>
  limiter: Limiter
  /** Bounds the analyses that run and wait. */
  slots: ConcurrencyLimit
  /** Finds out whether an analysis was late through the machine. */
  blame: Blame
  /** Answers that are still right. */
  answers: AnswerCache
  /** Says of each report what it was made from, and signs it. */
  seals: ReportSeal
  /** Many targets at once, whether a caller waits or not. */
  batches: Pick<Batches, 'create' | 'list' | 'listWebhooks' | 'read' | 'redeliver'>
  /** Tokens that are looked after. */
  watches: Pick<Watches, 'create' | 'list' | 'listAlerts' | 'newestPlace' | 'read' | 'remove'>
  /** New markets. */
  feed: Pick<Feed, 'chainIds' | 'listChanges' | 'listFollowed' | 'listNewest' | 'newestPlace'>
  /** People that are told of alerts. */
  contacts: Omit<Contacts, 'start' | 'close'>
  /** How right the verdicts of this installation were. */
  stats: StatsReader
  /** Finds the chain of an address, and the address of a name. */
  lookup: Lookup
  /** Reports that can be shown to others. */
  savedReports: SavedReports
  /** Results that callers hold to be wrong. */
  falseResults: Pick<FalseResults, 'keep'>
  /** What must answer for the service to be of use, by name. Each rejects when it does not. */
  dependencies: Readonly<Record<string, () => Promise<void>>>
}
