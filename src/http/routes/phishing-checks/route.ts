import type { RouteOptions } from 'fastify'
import type { AnalysisTarget } from '../../../checks/target.js'
import { type Assessment, partOf } from '../../../reports/assess.js'
import type { RenderServices } from '../../analysis-parts.js'
import { type AnalysisRouteParts, analysisRoute } from '../../analysis-route.js'
import { parseWalletRequest } from './parse-wallet-request.js'
import { PhishingReportBody, PhishingRequestBody } from './schema.js'
import { toResponse } from './to-response.js'

/**
 * `POST /api/phishing/phishing-checks`: what a contract does with what others approve, sign or pay.
 */
export function phishingChecksRoute(parts: AnalysisRouteParts): RouteOptions {
  return analysisRoute({
    ...parts,
    name: 'phishing',
    failures: ['invalid_from', 'invalid_value', 'invalid_calldata', 'invalid_typed_data'],
    schema: {
      summary: 'Phishing check, alone or with what a wallet is asked to send or sign',
      body: PhishingRequestBody,
      response: { 200: PhishingReportBody },
    },
    parseMore(body) {
      const wallet = parseWalletRequest(body, parts.services.config)
      return wallet === undefined ? {} : { wallet }
    },
  })
}

/** The body of the answer on `target`. */
export function renderPhishing(
  { clock, config: { engineVersion }, seals }: RenderServices,
  target: AnalysisTarget,
  assessment: Assessment,
): PhishingReportBody {
  const report = toResponse(partOf(assessment, 'phishing'), assessment, { engineVersion, now: clock.now() })
  return seals.seal('phishing', target, report)
}
