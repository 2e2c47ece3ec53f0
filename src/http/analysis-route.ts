import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createSharedJobs } from '../limits/shared-jobs.js'
import { type Assessment, isLasting, type PartName } from '../reports/assess.js'
import { nameQuestion } from '../reports/inputs.js'
import { SlotsFullError, SlotWaitEndedError } from '../turns/slots.js'
import { ANALYSIS_PARTS, type RenderServices } from './analysis-parts.js'
import { ApiError, type ApiErrorCode } from './api-error.js'
import type { HttpBounds } from './bounds.js'
import { COMMON_FAILURES, failureSchemas } from './failure-schema.js'
import { parseAnalysisRequest } from './parse-analysis-request.js'
import { isSolanaRequest, parseSolanaRequest, refuseSolanaRequest } from './parse-solana-request.js'
import { runForClient } from './run-for-client.js'
import type { Services } from './services.js'

/** What the routes of all analyses have in common. */
export interface AnalysisRouteParts {
  services: AnalysisServices
  bounds: HttpBounds
  /**
   * One for all routes: questions about one target share their analysis, whichever endpoint they
   * came to.
   */
  run: AnalysisRunner
}

export type AnalysisServices = RenderServices &
  Pick<Services, 'answers' | 'assess' | 'checkSolanaToken' | 'clock' | 'config' | 'slots'>

export interface AnalysisRouteOptions extends AnalysisRouteParts {
  name: PartName
  /** Failures of this route's own fields. */
  failures?: readonly ApiErrorCode[]
  schema: { summary: string; body: TSchema; response: Record<number, TSchema> }
  /** Reads the fields of this route's own. Rejects with one of `failures`. */
  parseMore?(body: unknown): Partial<AnalysisTarget>
  /** The whole answer on a Solana token; without it, only the numeric chains are supported. */
  analyseSolana?(target: SolanaTarget): Promise<object>
}

/**
 * A route of the analysis class: parses the target, waits for a slot, and stops the work when the
 * client leaves or time is up.
 */
export function analysisRoute(options: AnalysisRouteOptions): RouteOptions {
  const { services, run, name, failures = [], schema, parseMore, analyseSolana } = options
  const part = ANALYSIS_PARTS.find((each) => each.name === name) ?? raise(name)
  const { url, failure } = part
  const parse = (body: unknown): Prepared => {
    if (analyseSolana === undefined) refuseSolanaRequest(body, services.config)
    else if (isSolanaRequest(body)) {
      const target = parseSolanaRequest(body, services.config)
      return {
        name: `${url} ${target.address}`,
        recall: () => undefined,
        start: (signal, caller) => analyseSolana({ ...target, signal, caller }),
        answer: (report) => report,
      }
    }
    const target = { ...parseAnalysisRequest(body, services.config), ...parseMore?.(body) }
    const question = nameQuestion(target, target.only ? name : undefined)
    return {
      name: `${question} ${target.blockNumber ?? ''}`,
      recall: () => services.answers.recall(`${url} ${question}`, target),
      start: (signal, caller) => services.assess({ ...target, signal, caller }, target.only ? name : undefined),
      answer(outcome) {
        const assessment = outcome as Assessment
        const report = part.render(services, target, assessment)
        return isLasting(assessment) ? services.answers.keep(`${url} ${question}`, target, report) : report
      },
    }
  }
  const prepare = rememberByObject(parse)
  return {
    method: 'POST',
    url,
    schema: {
      ...schema,
      response: {
        ...schema.response,
        ...failureSchemas([...COMMON_FAILURES, ...ANALYSIS_FAILURES, ...failures, failure]),
      },
    },
    config: { access: 'key', limitClass: 'analysis', failure },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { name: job, recall, start, answer } = prepare(request.body)
      reply.type('application/json; charset=utf-8')
      const known = recall()
      if (known) return reply.send(known)
      return answer(await run(request, reply, job, start))
    },
  }
}

function raise(name: string): never {
  throw new RangeError(`there is no analysis ${name}`)
}

/** Runs one analysis for all who ask for the same `name` now. */
export type AnalysisRunner = ReturnType<typeof createAnalysisRunner>

/**
 * Runs analyses that clients wait for: one for all who ask for the same `name` now, when its turn
 * comes, told to stop when no caller waits or time is up.
 */
export function createAnalysisRunner(
  services: Pick<Services, 'clock' | 'slots'>,
  { analysisMs, wrapUpMs, turnMs }: Pick<HttpBounds, 'analysisMs' | 'wrapUpMs' | 'turnMs'>,
) {
  const jobs = createSharedJobs<object>(services)
  const deadline = { softMs: analysisMs - wrapUpMs, hardMs: analysisMs }
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    analyse: (signal: AbortSignal, caller: string) => Promise<object>,
  ): Promise<object> => {
    const ask = { name, caller: callerOf(request), softMs: deadline.softMs, waitMs: turnMs }
    return runForClient(reply, deadline, (signal) => jobs.run({ ...ask, signal }, analyse).catch(toBusy))
  }
}

/** What a request comes down to. Bytes are sent as they are. */
interface Prepared {
  /** Works of one name that are wanted at the same time are done once. */
  name: string
  /** The answer, when it is known. */
  recall(): Buffer | undefined
  /** The work that leads to it. */
  start(signal: AbortSignal, caller: string): Promise<object>
  /** This endpoint's answer, of what the work gave. */
  answer(outcome: object): object
}

/**
 * What `make` gave for the same object before. Bodies that come again are one object, which cannot
 * change.
 */
function rememberByObject<T>(make: (body: unknown) => T): (body: unknown) => T {
  const made = new WeakMap<object, T>()
  return (body) => {
    if (typeof body !== 'object' || body === null) return make(body)
    const known = made.get(body)
    if (known !== undefined) return known
    const fresh = make(body)
    made.set(body, fresh)
    return fresh
  }
}

/** Whose turn it is among those who wait for a slot. */
export const callerOf = ({ apiKey, wallet }: FastifyRequest): string => apiKey?.id ?? wallet ?? ''

/** What an analysis can answer besides the failures of every route. */
export const ANALYSIS_FAILURES = [
  'address_required',
  'invalid_address',
  'chain_required',
  'unsupported_chain',
  'invalid_block_number',
  'block_not_found',
  'invalid_pair',
  'invalid_simulate_liquidity',
  'invalid_amount',
  'invalid_only',
  'invalid_trace',
  'analysis_limit',
] as const satisfies readonly ApiErrorCode[]

/** Long enough for a slot to become free, short enough to be worth waiting for. */
const RETRY_AFTER_SECONDS = 2

/**
 * Too many waiting analyses are not a failure of this one: it was not begun, and may work the next
 * time.
 */
export function toBusy(error: unknown): never {
  if (error instanceof SlotsFullError || error instanceof SlotWaitEndedError) {
    throw new ApiError('busy', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) }, cause: error })
  }
  throw error
}
