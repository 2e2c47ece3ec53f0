import type { RouteOptions } from 'fastify'
import { type Static, Type } from 'typebox'
import type { SolanaTarget } from '../../../checks/solana/check-token.js'
import type { AnalysisTarget } from '../../../checks/target.js'
import { analysisRoute } from '../../analysis-route.js'
import type { HttpBounds } from '../../bounds.js'
import type { Services } from '../../services.js'
import { AnalysisRequestBody } from '../execute-simulation/schema.js'
import { SolanaHoneypotReport, SolanaRequestBody } from '../solana-token-checks/schema.js'
import { toSolanaHoneypot } from '../solana-token-checks/to-honeypot.js'
import { HoneypotReportBody } from './schema.js'
import { toResponse } from './to-response.js'

/** `POST /api/honeypot/honeypot-checks`: taxes and traps now, in 24 hours and in 7 days. */
export function honeypotChecksRoute(
  services: Pick<Services, 'answers' | 'clock' | 'config' | 'checkHoneypot' | 'checkSolanaToken' | 'seals' | 'slots'>,
  bounds: HttpBounds,
): RouteOptions {
  return analysisRoute({
    services,
    bounds,
    url: '/api/honeypot/honeypot-checks',
    failure: 'honeypot_failed',
    schema: {
      summary: 'Honeypot check in three time windows',
      body: Type.Union([AnalysisRequestBody, SolanaRequestBody]),
      response: { 200: Type.Union([HoneypotReportBody, SolanaHoneypotReport]) },
    },
    analyse: (target) => analyseAsHoneypot(services, target),
    isLasting: ({ honeypotResponse: { inconclusive, powersTried, holderAnalysis, liquidity } }) =>
      inconclusive === null && [powersTried, holderAnalysis, liquidity].every((part) => !part?.unfinished),
    analyseSolana: (target) => analyseSolanaAsHoneypot(services, target),
  })
}

/** The body of the answer on `target`. */
export async function analyseAsHoneypot(
  services: Pick<Services, 'config' | 'checkHoneypot' | 'seals'>,
  target: AnalysisTarget,
): Promise<HoneypotReportBody> {
  const report = toResponse(await services.checkHoneypot(target), services.config)
  return services.seals.seal('honeypot', target, report)
}

/** The body of the answer on a Solana token. */
export async function analyseSolanaAsHoneypot(
  { checkSolanaToken, config, seals }: Pick<Services, 'checkSolanaToken' | 'config' | 'seals'>,
  target: SolanaTarget,
): Promise<Static<typeof SolanaHoneypotReport>> {
  const report = toSolanaHoneypot(await checkSolanaToken(target), config)
  return seals.sealSolana('solana-honeypot', target, report)
}
