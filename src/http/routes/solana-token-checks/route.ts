import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { SolanaTarget } from '../../../checks/solana/check-token.js'
import type { AnalysisRouteParts } from '../../analysis-route.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { parseSolanaRequest } from '../../parse-solana-request.js'
import type { Services } from '../../services.js'
import { SolanaRequestBody, SolanaTokenReportBody } from './schema.js'
import { toResponse } from './to-response.js'

/**
 * `POST /api/solana/token-checks`: everything about one Solana token. Counts as one of the other
 * endpoints (specification, section 8).
 */
export function solanaTokenChecksRoute({ services, run }: AnalysisRouteParts): RouteOptions {
  return {
    method: 'POST',
    url: '/api/solana/token-checks',
    schema: {
      summary: 'Trades, powers, holders, pools and history of a Solana token',
      body: SolanaRequestBody,
      response: { 200: SolanaTokenReportBody, ...failureSchemas([...COMMON_FAILURES, ...FAILURES]) },
    },
    config: { access: 'key', limitClass: 'general', failure: 'simulation_failed' },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const target = parseSolanaRequest(request.body, services.config)
      return run(request, reply, `solana ${target.address}`, (signal, caller) =>
        analyseAsSolana(services, { ...target, signal, caller }),
      )
    },
  }
}

/** The body of the answer on `target`. */
export async function analyseAsSolana(
  { checkSolanaToken, clock, config, seals }: Pick<Services, 'checkSolanaToken' | 'clock' | 'config' | 'seals'>,
  target: SolanaTarget,
): Promise<SolanaTokenReportBody> {
  const report = toResponse(await checkSolanaToken(target), { ...config, now: clock.now() })
  return seals.sealSolana('solana', target, report)
}

const FAILURES = [
  'address_required',
  'invalid_address',
  'chain_required',
  'unsupported_chain',
  'simulation_failed',
] as const
