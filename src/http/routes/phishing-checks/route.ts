import type { RouteOptions } from 'fastify'
import type { AnalysisTarget } from '../../../checks/target.js'
import { analysisRoute } from '../../analysis-route.js'
import type { HttpBounds } from '../../bounds.js'
import type { Services } from '../../services.js'
import { parseWalletRequest } from './parse-wallet-request.js'
import { PhishingReportBody, PhishingRequestBody } from './schema.js'
import { toResponse } from './to-response.js'

/** `POST /api/phishing/phishing-checks`: what a contract does with what others approve, sign or pay. */
export function phishingChecksRoute(
  services: Pick<Services, 'answers' | 'config' | 'checkPhishing' | 'seals' | 'slots' | 'clock'>,
  bounds: HttpBounds,
): RouteOptions {
  return analysisRoute({
    services,
    bounds,
    url: '/api/phishing/phishing-checks',
    failure: 'phishing_failed',
    failures: ['invalid_from', 'invalid_value', 'invalid_calldata', 'invalid_typed_data'],
    schema: {
      summary: 'Phishing check, alone or with what a wallet is asked to send or sign',
      body: PhishingRequestBody,
      response: { 200: PhishingReportBody },
    },
    parseMore(body) {
      const wallet = parseWalletRequest(body, services.config)
      return wallet === undefined ? {} : { wallet }
    },
    analyse: (target) => analyseAsPhishing(services, target),
    isLasting: ({ inconclusive, reason }) => !inconclusive && reason === null,
  })
}

/** The body of the answer on `target`. */
export async function analyseAsPhishing(
  services: Pick<Services, 'checkPhishing' | 'clock' | 'config' | 'seals'>,
  target: AnalysisTarget,
): Promise<PhishingReportBody> {
  const { engineVersion } = services.config
  const report = toResponse(await services.checkPhishing(target), { engineVersion, now: services.clock.now() })
  return services.seals.seal('phishing', target, report)
}
