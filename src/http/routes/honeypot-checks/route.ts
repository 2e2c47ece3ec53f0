import type { RouteOptions } from 'fastify'
import { type Static, Type } from 'typebox'
import type { SolanaTarget } from '../../../checks/solana/check-token.js'
import type { AnalysisTarget } from '../../../checks/target.js'
import { type Assessment, isTrap, partOf } from '../../../reports/assess.js'
import type { RenderServices } from '../../analysis-parts.js'
import { type AnalysisRouteParts, analysisRoute } from '../../analysis-route.js'
import type { Services } from '../../services.js'
import { AnalysisRequestBody } from '../execute-simulation/schema.js'
import { SolanaHoneypotReport, SolanaRequestBody } from '../solana-token-checks/schema.js'
import { toSolanaHoneypot } from '../solana-token-checks/to-honeypot.js'
import { HoneypotReportBody } from './schema.js'
import { toResponse } from './to-response.js'

/** `POST /api/honeypot/honeypot-checks`: taxes and traps now, in 24 hours and in 7 days. */
export function honeypotChecksRoute(parts: AnalysisRouteParts): RouteOptions {
  return analysisRoute({
    ...parts,
    name: 'honeypot',
    schema: {
      summary: 'Honeypot check in three time windows',
      body: Type.Union([AnalysisRequestBody, SolanaRequestBody]),
      response: { 200: Type.Union([HoneypotReportBody, SolanaHoneypotReport]) },
    },
    analyseSolana: (target) => analyseSolanaAsHoneypot(parts.services, target),
  })
}

/** The body of the answer on `target`. */
export function renderHoneypot(
  { config, seals }: RenderServices,
  target: AnalysisTarget,
  assessment: Assessment,
): HoneypotReportBody {
  const context = { ...config, isHoneypot: isTrap(assessment) }
  return seals.seal('honeypot', target, toResponse(partOf(assessment, 'honeypot'), assessment, context))
}

/** The body of the answer on a Solana token. */
export async function analyseSolanaAsHoneypot(
  { checkSolanaToken, config, seals }: Pick<Services, 'checkSolanaToken' | 'config' | 'seals'>,
  target: SolanaTarget,
): Promise<Static<typeof SolanaHoneypotReport>> {
  const report = toSolanaHoneypot(await checkSolanaToken(target), config)
  return seals.sealSolana('solana-honeypot', target, report)
}
