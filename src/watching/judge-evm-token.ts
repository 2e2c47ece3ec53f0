import type { Chain } from '../chains/chain.js'
import { isFailed } from '../checks/settle.js'
import type { Address } from '../hex.js'
import { adviceOf } from '../reports/advice.js'
import { type Assess, type Assessment, isTrap } from '../reports/assess.js'
import { dependenciesOf } from '../reports/dependencies.js'
import { toToken } from '../reports/fields/to-token.js'
import type { Judge } from './judge-token.js'
import type { Judgement } from './watch.js'

/** Judges tokens of a chain with an EVM. */
export const createEvmJudge =
  (chain: Chain, assess: Assess): Judge =>
  async ({ address, caller, signal }) => {
    // Tokens of this chain alone come here.
    const assessment = await assess({ chain, address: address as Address, caller, signal })
    const judgement = judgementOf(assessment)
    const { honeypot } = assessment
    return (
      judgement && {
        judgement,
        dependencies: dependenciesOf(assessment),
        liquidity: honeypot && !isFailed(honeypot) ? honeypot.markets?.depth : undefined,
      }
    )
  }

function judgementOf(assessment: Assessment): Judgement | undefined {
  const { verdict, simulation, honeypot, phishing } = assessment
  const pinned = [honeypot, simulation, phishing].find((part) => part !== undefined && !isFailed(part))
  if (pinned === undefined || isFailed(pinned)) return undefined
  const { number, hash } = pinned.block
  const trade = honeypot && !isFailed(honeypot) && honeypot.pair !== undefined ? honeypot : undefined
  const { level, score, headline } = verdict
  const token = toToken(assessment)
  return {
    ...{ level, score, headline, token, advice: adviceOf(verdict, { isToken: token !== null }) },
    buyTaxBps: trade?.buyTaxBps,
    sellTaxBps: trade?.sellTaxBps,
    isHoneypot: isTrap(assessment),
    isWhole: !verdict.isUnfinished,
    block: { number, hash },
  }
}
