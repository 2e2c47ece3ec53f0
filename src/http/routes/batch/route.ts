import type { RouteOptions } from 'fastify'
import { ApiError, type ApiErrorCode } from '../../../api-error.js'
import { type Batch, type BatchSummary, DELIVERY_STATES, type DeliveryState } from '../../../batches/batch.js'
import { bytesFor, type Refusal } from '../../../batches/batch-store.js'
import type { BatchStatus } from '../../../batches/create-batches.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { checkBatchItem } from './analyse-item.js'
import { parseBatchRequest } from './parse-batch-request.js'
import {
  BatchAccepted,
  BatchListBody,
  BatchParams,
  BatchQuery,
  BatchRequestBody,
  BatchStatusBody,
  WebhookAccepted,
  WebhooksBody,
  WebhooksQuery,
} from './schema.js'

/**
 * `/api/batch`: many targets, analysed as fast as the key's limit allows, whether a caller waits or
 * not.
 */
export function batchRoutes(services: Pick<Services, 'batches' | 'config'>, bounds: HttpBounds): RouteOptions[] {
  return [
    orderRoute(services, bounds),
    listRoute(services),
    statusRoute(services),
    webhooksRoute(services),
    redeliveryRoute(services),
  ]
}

function orderRoute({ batches, config }: Pick<Services, 'batches' | 'config'>, bounds: HttpBounds): RouteOptions {
  return {
    method: 'POST',
    url: '/api/batch',
    bodyLimit: bounds.batchBodyBytes,
    config: { access: 'key' },
    schema: {
      operationId: 'createBatch',
      summary: 'Analyse up to 100 targets',
      body: BatchRequestBody,
      response: {
        202: BatchAccepted,
        ...failureSchemas([
          ...COMMON_FAILURES,
          'server_error',
          'invalid_targets',
          'invalid_check',
          'invalid_webhook',
          'batch_limit',
          'storage_limit',
          'webhook_limit',
        ]),
      },
    },
    handler: async (request, reply) => {
      const { requests, webhook } = parseBatchRequest(request.body, { allowPrivate: config.privateWebhooks })
      const items = requests.map((each) => {
        const outcome = checkBatchItem(each, config)
        return { request: each, ...(outcome && { outcome }) }
      })
      const { id: keyId, limits } = keyOf(request)
      const batch = await batches.create({ keyId, requests: items, webhook, maxBytes: bytesFor(limits) })
      if (typeof batch === 'string') throw refused(batch)
      const statusUrl = `/api/batch/${batch.id}`
      return reply
        .code(202)
        .header('location', statusUrl)
        .send({ success: true, id: batch.id, status: 'waiting', statusUrl, total: items.length })
    },
  }
}

function statusRoute({ batches }: Pick<Services, 'batches'>): RouteOptions {
  return {
    method: 'GET',
    url: '/api/batch/:id',
    config: { access: 'key' },
    schema: {
      operationId: 'readBatch',
      summary: 'Progress and results of a batch',
      params: BatchParams,
      querystring: BatchQuery,
      response: {
        200: BatchStatusBody,
        ...failureSchemas([...COMMON_FAILURES, 'server_error', 'not_found', 'batch_not_found']),
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      const status = await batches.read(id, keyOf(request).id, readFrom(request.query))
      if (status === undefined) throw new ApiError('batch_not_found')
      return reply.type('application/json; charset=utf-8').send(writeBody(status))
    },
  }
}

function listRoute({ batches }: Pick<Services, 'batches'>): RouteOptions {
  return {
    method: 'GET',
    url: '/api/batch',
    config: { access: 'key' },
    schema: {
      operationId: 'listBatches',
      summary: 'Batches of the key, and how far they are',
      response: { 200: BatchListBody, ...failureSchemas([...COMMON_FAILURES, 'server_error']) },
    },
    handler: async (request) => {
      const listed = await batches.list(keyOf(request).id)
      const toBody = ({ batch, ...counts }: BatchSummary) => ({
        ...toProgress(batch, counts),
        statusUrl: `/api/batch/${batch.id}`,
      })
      return { success: true, batches: listed.map(toBody) }
    },
  }
}

function webhooksRoute({ batches }: Pick<Services, 'batches'>): RouteOptions {
  return {
    method: 'GET',
    url: '/api/batch/webhooks',
    config: { access: 'key' },
    schema: {
      operationId: 'listWebhooks',
      summary: 'Webhooks of finished batches',
      querystring: WebhooksQuery,
      response: { 200: WebhooksBody, ...failureSchemas([...COMMON_FAILURES, 'server_error']) },
    },
    handler: async (request) => {
      const listed = await batches.listWebhooks(keyOf(request).id, readStates(request.query))
      return { success: true, webhooks: listed.map(toWebhookBody) }
    },
  }
}

/** Anything but a state is what was not told. */
function readStates(query: unknown): readonly DeliveryState[] {
  const { state } = (query ?? {}) as { state?: unknown }
  const asked = DELIVERY_STATES.filter((each) => each === state)
  return asked.length > 0 ? asked : ['waiting', 'failed']
}

const toWebhookBody = ({ id, webhook, webhookState, webhookAttempts, webhookFailure, finishedAt }: Batch) => ({
  id,
  // The rest of an address may be its secret.
  host: webhook === undefined ? null : new URL(webhook.url).host,
  webhook: webhookState,
  attempts: webhookAttempts,
  failure: webhookFailure ?? null,
  finishedAt: finishedAt === undefined ? null : toIsoTime(finishedAt),
  statusUrl: `/api/batch/${id}`,
})

function redeliveryRoute({ batches }: Pick<Services, 'batches'>): RouteOptions {
  return {
    method: 'POST',
    url: '/api/batch/:id/webhook',
    config: { access: 'key' },
    schema: {
      operationId: 'redeliverWebhook',
      summary: 'Tell the webhook of a batch again',
      params: BatchParams,
      response: {
        202: WebhookAccepted,
        ...failureSchemas([
          ...COMMON_FAILURES,
          'server_error',
          'not_found',
          'batch_not_found',
          'webhook_not_found',
          'webhook_limit',
        ]),
      },
    },
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      const batch = await batches.redeliver(id, keyOf(request).id)
      if (batch === undefined) throw new ApiError('batch_not_found')
      if (batch === 'none') throw new ApiError('webhook_not_found')
      if (batch === 'webhooks') throw refused(batch)
      return reply.code(202).send({ success: true, id, webhook: batch.webhookState, statusUrl: `/api/batch/${id}` })
    },
  }
}

const REFUSALS = {
  open: ['batch_limit', '60'],
  // What is stored goes away after days, what waits after hours.
  bytes: ['storage_limit', '3600'],
  webhooks: ['webhook_limit', '60'],
} as const satisfies Record<Refusal, readonly [ApiErrorCode, string]>

function refused(refusal: Refusal): ApiError {
  const [code, retryAfter] = REFUSALS[refusal]
  return new ApiError(code, { headers: { 'retry-after': retryAfter } })
}

/** Anything but a whole number is the beginning. */
function readFrom(query: unknown): number {
  const text = (query as { from?: unknown } | undefined)?.from
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0
}

/**
 * As a text, in which the results stand as they are stored: four million characters are not read
 * and written once more for each look.
 */
function writeBody({ batch, items, results, next }: BatchStatus): string {
  const count = (state: string) => items.filter((item) => item.state === state).length
  const counts = { waiting: count('waiting'), done: count('done'), failed: count('failed') }
  const written = items.map(({ position, request: { check, body }, state }) =>
    addField({ position, request: body, check, state }, 'result', results.get(position) ?? 'null'),
  )
  const before = { success: true, ...toProgress(batch, counts), next: next ?? null }
  return addField(before, 'items', `[${written.join(',')}]`)
}

const toProgress = (batch: Batch, { waiting, done, failed }: Omit<BatchSummary, 'batch'>) => ({
  id: batch.id,
  status: batch.finishedAt === undefined ? 'waiting' : 'finished',
  createdAt: toIsoTime(batch.createdAt),
  finishedAt: batch.finishedAt === undefined ? null : toIsoTime(batch.finishedAt),
  total: waiting + done + failed,
  ...{ waiting, done, failed },
  webhook: batch.webhookState,
})

/** An object as JSON, with a last field whose value is JSON already. */
const addField = (fields: object, name: string, json: string) =>
  `${JSON.stringify(fields).slice(0, -1)},"${name}":${json}}`
