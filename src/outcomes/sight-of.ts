import { isFailed } from '../checks/settle.js'
import { liquidityOf } from '../checks/solana/quote-value.js'
import { type Assessment, isTrap } from '../reports/assess.js'
import type { SolanaAssessment } from '../reports/assess-solana.js'
import type { Sight } from './outcome.js'

/** `undefined` where it was not traded, or work of ours is missing: that shows nothing. */
export function sightOf(assessment: Assessment): Sight | undefined {
  const { honeypot, verdict } = assessment
  if (honeypot === undefined || isFailed(honeypot) || verdict.isUnfinished) return undefined
  const judged = honeypot.markets?.pools.find(({ isJudged }) => isJudged)
  return {
    isTrap: isTrap(assessment),
    sellTaxBps: honeypot.pair === undefined ? 0 : honeypot.sellTaxBps,
    depth: honeypot.markets?.depth ?? 0n,
    pool: judged && { name: `${judged.address} ${judged.id ?? ''}`, tokens: judged.tokenReserve },
  }
}

/** The same of a token of Solana. */
export function sightOfSolana(report: SolanaAssessment): Sight | undefined {
  if (report.kind !== 'token' || report.gaps.length > 0) return undefined
  const { windows, pools, isHoneypot } = report
  const [[now], [main]] = [windows, pools]
  return (
    now && {
      isTrap: isHoneypot,
      sellTaxBps: now.sellTaxBps,
      depth: liquidityOf(pools) ?? 0n,
      pool: main && { name: main.pool.address, tokens: main.reserves.token ?? 0n },
    }
  )
}
