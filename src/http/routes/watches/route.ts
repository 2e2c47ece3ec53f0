import type { FastifyRequest, RouteOptions } from 'fastify'
import { ApiError, type ApiErrorCode } from '../../../api-error.js'
import { toWireChainId } from '../../../chains/chain-id.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import { showAddress } from '../../../solana/token-address.js'
import type { WatchStatus } from '../../../watching/create-watches.js'
import { toAlertBody, toFollowedBody, toJudgementBody } from '../../../watching/to-alert-body.js'
import type { WatchRefusal } from '../../../watching/watch-store.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { parseWatchRequest } from './parse-watch-request.js'
import {
  AlertList,
  AlertQuery,
  WatchAnswer,
  WatchDependencies,
  WatchList,
  WatchParams,
  WatchRemoved,
  WatchRequestBody,
} from './schema.js'
import { toDependenciesBody } from './to-dependencies-body.js'
import { watchEventsRoute } from './watch-events.js'

type WatchServices = Pick<Services, 'watches' | 'contacts' | 'config'>

/** `/api/watches`: tokens that are looked after, and what happened to them. */
export function watchRoutes(services: WatchServices, stopping: { isStopping(): boolean }): RouteOptions[] {
  return [
    orderRoute(services),
    listRoute(services),
    alertsRoute(services),
    watchEventsRoute(services, stopping),
    readRoute(services),
    dependenciesRoute(services),
    removeRoute(services),
  ]
}

function orderRoute({ watches, contacts, config }: WatchServices): RouteOptions {
  return {
    method: 'POST',
    url: '/api/watches',
    config: { access: 'key' },
    schema: {
      operationId: 'createWatch',
      summary: 'Watch a token',
      body: WatchRequestBody,
      response: {
        201: WatchAnswer,
        ...failureSchemas([
          ...COMMON_FAILURES,
          'server_error',
          'address_required',
          'invalid_address',
          'chain_required',
          'unsupported_chain',
          'invalid_tells',
          'invalid_webhook',
          'invalid_contacts',
          'watch_limit',
          'chain_watch_limit',
        ]),
      },
    },
    handler: async (request, reply) => {
      const { compat, chains, privateWebhooks } = config
      const wish = parseWatchRequest(request.body, { compat, chains, allowPrivate: privateWebhooks })
      const { id: keyId, limits } = keyOf(request)
      if (!(await contacts.areOf(keyId, wish.contacts))) throw new ApiError('invalid_contacts')
      const created = await watches.create({ keyId, limits, ...wish })
      if (typeof created === 'string') throw new ApiError(REFUSALS[created], { headers: { 'retry-after': '3600' } })
      return reply.code(201).send({ success: true, watch: toBody(created) })
    },
  }
}

const REFUSALS = { watches: 'watch_limit', tokens: 'chain_watch_limit' } as const satisfies Record<
  WatchRefusal,
  ApiErrorCode
>

function listRoute({ watches }: WatchServices): RouteOptions {
  return {
    method: 'GET',
    url: '/api/watches',
    config: { access: 'key' },
    schema: {
      operationId: 'listWatches',
      summary: 'Watches of the key',
      response: { 200: WatchList, ...failureSchemas([...COMMON_FAILURES, 'server_error']) },
    },
    handler: async (request) => ({ success: true, watches: (await watches.list(keyOf(request).id)).map(toBody) }),
  }
}

function readRoute({ watches }: WatchServices): RouteOptions {
  return {
    method: 'GET',
    url: '/api/watches/:id',
    config: { access: 'key' },
    schema: {
      operationId: 'readWatch',
      summary: 'One watch',
      params: WatchParams,
      response: { 200: WatchAnswer, ...failureSchemas([...COMMON_FAILURES, 'server_error', 'watch_not_found']) },
    },
    handler: async (request) => {
      const status = await watches.read(idOf(request), keyOf(request).id)
      if (status === undefined) throw new ApiError('watch_not_found')
      return { success: true, watch: toBody(status) }
    },
  }
}

function dependenciesRoute({ watches }: WatchServices): RouteOptions {
  return {
    method: 'GET',
    url: '/api/watches/:id/dependencies',
    config: { access: 'key' },
    schema: {
      operationId: 'readWatchDependencies',
      summary: 'What the verdict on a watched token stands on',
      params: WatchParams,
      response: { 200: WatchDependencies, ...failureSchemas([...COMMON_FAILURES, 'server_error', 'watch_not_found']) },
    },
    handler: async (request) => {
      const status = await watches.read(idOf(request), keyOf(request).id)
      if (status === undefined) throw new ApiError('watch_not_found')
      return { success: true, ...toDependenciesBody(status.token?.dependencies) }
    },
  }
}

function removeRoute({ watches }: WatchServices): RouteOptions {
  return {
    method: 'DELETE',
    url: '/api/watches/:id',
    config: { access: 'key' },
    schema: {
      operationId: 'endWatch',
      summary: 'End a watch',
      params: WatchParams,
      response: { 200: WatchRemoved, ...failureSchemas([...COMMON_FAILURES, 'server_error', 'watch_not_found']) },
    },
    handler: async (request) => {
      if (!(await watches.remove(idOf(request), keyOf(request).id))) throw new ApiError('watch_not_found')
      return { success: true, id: idOf(request) }
    },
  }
}

/** Alerts of one answer. */
const MAX_ALERTS = 100

function alertsRoute({ watches }: WatchServices): RouteOptions {
  return {
    method: 'GET',
    url: '/api/watches/alerts',
    config: { access: 'key' },
    schema: {
      operationId: 'listAlerts',
      summary: 'What happened to watched tokens',
      querystring: AlertQuery,
      response: { 200: AlertList, ...failureSchemas([...COMMON_FAILURES, 'server_error']) },
    },
    handler: async (request) => {
      const { after: text, watch } = (request.query ?? {}) as { after?: unknown; watch?: unknown }
      const after = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : 0
      const watchId = typeof watch === 'string' ? watch.slice(0, MAX_ID_CHARS) : undefined
      const query = { after, limit: MAX_ALERTS, ...(watchId !== undefined && { watchId }) }
      const alerts = await watches.listAlerts(keyOf(request).id, query)
      return { success: true, alerts: alerts.map(toAlertBody), next: alerts.at(-1)?.place ?? after }
    },
  }
}

const MAX_ID_CHARS = 64

const idOf = ({ params }: FastifyRequest) => (params as { id: string }).id

function toBody({ watch, token, followed }: WatchStatus) {
  const { judgement, judgedAt, dependencies } = token ?? {}
  return {
    id: watch.id,
    targetContractAddress: showAddress(watch.address),
    chainId: toWireChainId(watch.chainId),
    tells: [...watch.tells],
    // The rest of the URL may be a secret.
    webhook: watch.webhook === undefined ? null : new URL(watch.webhook.url).host,
    contacts: [...watch.contacts],
    createdAt: toIsoTime(watch.createdAt),
    expiresAt: toIsoTime(watch.expiresAt),
    verdict: judgement === undefined ? null : toJudgementBody(judgement),
    judgedAt: judgedAt === undefined ? null : toIsoTime(judgedAt),
    dependencies:
      dependencies === undefined
        ? null
        : {
            words: dependencies.words.length,
            codes: dependencies.codes.length,
            isComplete: !dependencies.isTruncated,
          },
    followed: followed === undefined ? null : toFollowedBody(followed),
  }
}
