import { liquidityOf } from '../checks/solana/quote-value.js'
import type { SolanaTokenReport } from '../checks/solana/solana-report.js'
import { adviceOf } from '../reports/advice.js'
import type { AssessSolana, SolanaAssessment } from '../reports/assess-solana.js'
import { toSolanaToken } from '../reports/fields/to-token.js'
import { judgeSolana } from '../reports/judge-solana.js'
import type { SolanaAddress } from '../solana/address.js'
import { MAINNET_EPOCHS } from '../solana/cluster-clock.js'
import type { Judge } from './judge-token.js'
import type { Judgement } from './watch.js'

/** Judges tokens of Solana. */
export const createSolanaJudge =
  (assess: AssessSolana): Judge =>
  async ({ address, caller, signal }) => {
    // Tokens of Solana alone come here.
    const report = await assess({ address: address as SolanaAddress, caller, signal })
    const judgement = judgementOf(report)
    if (report.kind !== 'token') return { judgement, dependencies: undefined, liquidity: undefined }
    const dependencies = { ...report.dependencies, nextChange: nextChangeOf(report) }
    return { judgement, dependencies, liquidity: liquidityOf(report.pools) }
  }

function judgementOf(report: SolanaAssessment): Judgement {
  const verdict = judgeSolana(report)
  const { level, score, headline, isUnfinished } = verdict
  const token = toSolanaToken(report)
  const [now] = report.kind === 'token' ? report.windows : []
  return {
    ...{ level, score, headline, token, advice: adviceOf(verdict, { isToken: token !== null }) },
    buyTaxBps: now?.buyTaxBps,
    sellTaxBps: now?.sellTaxBps,
    isHoneypot: report.kind === 'token' && report.isHoneypot,
    isWhole: !isUnfinished,
    block: { number: report.slots.last, hash: undefined },
  }
}

/** Seconds, about: epochs begin at slots, and slots take as long as they take. */
const SECONDS_OF_SLOT = 0.4

/** When a fee that is set already will be in force, in seconds since 1970. */
function nextChangeOf({ mint, epoch, time, slots }: SolanaTokenReport): number | undefined {
  const newer = mint.extensions.transferFee?.newer
  if (newer === undefined || newer.epoch <= epoch) return undefined
  const left = newer.epoch * MAINNET_EPOCHS.slotsPerEpoch - slots.last
  return Number(time) + Math.max(1, Math.ceil(Number(left) * SECONDS_OF_SLOT))
}
