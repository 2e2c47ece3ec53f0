import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { toFailure } from '../../../api-error.js'
import { withDeadline } from '../../../scheduling/with-deadline.js'
import { failureSchema, failureSchemas, REQUEST_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'

/**
 * `GET /health`: the process answers. `GET /ready`: it can also do its work. Both open, for load
 * balancers, and cheap.
 */
export function healthRoutes({
  clock,
  config,
  dependencies,
}: Pick<Services, 'clock' | 'config' | 'dependencies'>): RouteOptions[] {
  const check = rememberFor(REMEMBERED_MS, clock.monotonic, () => checkAll(dependencies))
  return [
    {
      method: 'GET',
      url: '/health',
      config: { access: 'open' },
      schema: {
        operationId: 'readHealth',
        summary: 'Whether the process answers',
        security: [],
        response: { 200: Alive, ...failureSchemas(REQUEST_FAILURES) },
      },
      handler: async () => ({ success: true, status: 'alive', engineVersion: config.engineVersion }),
    },
    {
      method: 'GET',
      url: '/ready',
      config: { access: 'open' },
      schema: {
        operationId: 'readReadiness',
        summary: 'Whether it can do its work',
        security: [],
        response: { 200: Ready, ...failureSchemas(REQUEST_FAILURES), 503: NotReady },
      },
      handler: async (_request, reply) => {
        const states = await check()
        const isReady = Object.values(states).every((state) => state === 'ok')
        if (isReady) return { success: true, status: 'ready', dependencies: states }
        return reply.code(503).send({ ...toFailure('not_ready'), dependencies: states })
      },
    },
  ]
}

const Dependencies = Type.Record(Type.String(), Type.Union([Type.Literal('ok'), Type.Literal('failed')]))
const Alive = Type.Object({ success: Type.Literal(true), status: Type.Literal('alive'), engineVersion: Type.String() })
const Ready = Type.Object({ success: Type.Literal(true), status: Type.Literal('ready'), dependencies: Dependencies })
const NotReady = Type.Union([
  Type.Intersect([failureSchema(['not_ready']), Type.Object({ dependencies: Dependencies })]),
  failureSchema(['busy']),
])

/** However often it is asked, the dependencies are asked once a second. */
const REMEMBERED_MS = 1_000

/** A dependency that needs longer is not usable. */
const DEPENDENCY_MS = 2_000

type States = Record<string, 'ok' | 'failed'>

async function checkAll(dependencies: Services['dependencies']): Promise<States> {
  const states = Object.entries(dependencies).map(async ([name, ping]) => [name, await stateOf(ping)] as const)
  return Object.fromEntries(await Promise.all(states))
}

const stateOf = (ping: () => Promise<void>): Promise<'ok' | 'failed'> =>
  withDeadline({ ms: DEPENDENCY_MS }, ping).then(
    () => 'ok',
    () => 'failed',
  )

function rememberFor<T>(ms: number, now: () => number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let until = Number.NEGATIVE_INFINITY
  return () => {
    if (answer === undefined || now() >= until) {
      answer = ask()
      until = now() + ms
    }
    return answer
  }
}
