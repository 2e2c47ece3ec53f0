import type { FastifyRequest, RouteOptions } from 'fastify'
import type { BatchStatus } from '../../../batches/create-batches.js'
import { ApiError } from '../../api-error.js'
import { toIsoTime } from '../../block.js'
import type { HttpBounds } from '../../bounds.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { checkBatchItem } from './analyse-item.js'
import { parseBatchRequest } from './parse-batch-request.js'
import { BatchAccepted, BatchParams, BatchQuery, BatchRequestBody, BatchStatusBody } from './schema.js'

/** `POST /api/batch` and `GET /api/batch/:id`: many targets, analysed as fast as the key's limit allows, whether anybody waits or not. */
export function batchRoutes(services: Pick<Services, 'batches' | 'config'>, bounds: HttpBounds): RouteOptions[] {
  return [orderRoute(services, bounds), statusRoute(services)]
}

function orderRoute({ batches, config }: Pick<Services, 'batches' | 'config'>, bounds: HttpBounds): RouteOptions {
  return {
    method: 'POST',
    url: '/api/batch',
    bodyLimit: bounds.batchBodyBytes,
    config: { access: 'key' },
    schema: {
      summary: 'Analyse up to 100 targets',
      body: BatchRequestBody,
      response: {
        202: BatchAccepted,
        ...failureSchemas([
          ...COMMON_FAILURES,
          'server_error',
          'invalid_json',
          'body_too_large',
          'unsupported_content_type',
          'unsupported_content_encoding',
          'invalid_targets',
          'invalid_check',
          'invalid_webhook',
          'batch_limit',
        ]),
      },
    },
    handler: async (request, reply) => {
      const { requests, webhook } = parseBatchRequest(request.body, { allowPrivate: config.privateWebhooks })
      const items = requests.map((each) => {
        const outcome = checkBatchItem(each, config)
        return { request: each, ...(outcome && { outcome }) }
      })
      const batch = await batches.create({ keyId: keyIdOf(request), requests: items, webhook })
      if (batch === undefined) throw new ApiError('batch_limit', { headers: { 'retry-after': '60' } })
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
      summary: 'Progress and results of a batch',
      params: BatchParams,
      querystring: BatchQuery,
      response: { 200: BatchStatusBody, ...failureSchemas([...COMMON_FAILURES, 'server_error', 'batch_not_found']) },
    },
    handler: async (request) => {
      const { id } = request.params as { id: string }
      const status = await batches.read(id, keyIdOf(request), readFrom(request.query))
      if (status === undefined) throw new ApiError('batch_not_found')
      return toBody(status)
    },
  }
}

/** `admit` has seen to it that there is one. */
function keyIdOf({ apiKey }: FastifyRequest): string {
  if (apiKey === undefined) throw new ApiError('invalid_key')
  return apiKey.id
}

/** Anything but a whole number is the beginning. */
function readFrom(query: unknown): number {
  const text = (query as { from?: unknown } | undefined)?.from
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0
}

function toBody({ batch, items, results, next }: BatchStatus) {
  const count = (state: string) => items.filter((item) => item.state === state).length
  return {
    success: true,
    id: batch.id,
    status: batch.finishedAt === undefined ? 'waiting' : 'finished',
    createdAt: toIsoTime(batch.createdAt),
    finishedAt: batch.finishedAt === undefined ? null : toIsoTime(batch.finishedAt),
    total: items.length,
    waiting: count('waiting'),
    done: count('done'),
    failed: count('failed'),
    webhook: batch.webhookState,
    items: items.map(({ position, request: { check, body }, state }) => {
      const result = results.get(position)
      return { position, request: body, check, state, result: result === undefined ? null : JSON.parse(result) }
    }),
    next: next ?? null,
  }
}
