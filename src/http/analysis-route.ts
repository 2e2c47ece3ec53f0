import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { AnalysisTarget } from '../checks/target.js'
import { SlotsFullError } from '../limits/slots.js'
import { ApiError, type ApiErrorCode } from './api-error.js'
import type { HttpBounds } from './bounds.js'
import { COMMON_FAILURES, failureSchemas } from './failure-schema.js'
import { parseAnalysisRequest } from './parse-analysis-request.js'
import { runForClient } from './run-for-client.js'
import type { Services } from './services.js'

export interface AnalysisRouteOptions {
  services: Pick<Services, 'config' | 'slots'>
  bounds: HttpBounds
  url: string
  /** What the client reads when no analysis could be made. */
  failure: ApiErrorCode
  schema: { summary: string; body: TSchema; response: Record<number, TSchema> }
  /** The whole body of the answer. */
  analyse(target: AnalysisTarget): Promise<object>
}

/** A route of the analysis class: parses the target, waits for a slot, and stops the work when the client leaves or time is up. */
export function analysisRoute({ services, bounds, url, failure, schema, analyse }: AnalysisRouteOptions): RouteOptions {
  const deadline = { softMs: bounds.analysisMs - bounds.wrapUpMs, hardMs: bounds.analysisMs }
  return {
    method: 'POST',
    url,
    schema: {
      ...schema,
      response: { ...schema.response, ...failureSchemas([...COMMON_FAILURES, ...ANALYSIS_FAILURES, failure]) },
    },
    config: { access: 'key', limitClass: 'analysis', failure },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const target = parseAnalysisRequest(request.body, services.config)
      const caller = request.apiKey?.id ?? ''
      return runForClient(reply, deadline, (signal) =>
        services.slots.run({ caller, signal }, () => analyse({ ...target, signal })).catch(translate),
      )
    },
  }
}

/** What an analysis can answer besides the failures of every route. */
const ANALYSIS_FAILURES = [
  'invalid_json',
  'address_required',
  'invalid_address',
  'chain_required',
  'unsupported_chain',
  'invalid_block_number',
  'invalid_pair',
  'invalid_amount',
  'body_too_large',
  'unsupported_content_type',
  'unsupported_content_encoding',
  'analysis_limit',
] as const satisfies readonly ApiErrorCode[]

/** Long enough for a slot to become free, short enough to be worth waiting for. */
const RETRY_AFTER_SECONDS = 2

function translate(error: unknown): never {
  if (error instanceof SlotsFullError) {
    throw new ApiError('busy', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, cause: error })
  }
  throw error
}
