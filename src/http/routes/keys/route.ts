import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Wallet } from '../../../accounts/wallet.js'
import type { KeyBuyer, KeyWish } from '../../../accounts/wallet-keys.js'
import { KeyCapError, MAX_KEYS_PER_WALLET } from '../../../accounts/wallet-keys.js'
import { ApiError, type ApiErrorCode } from '../../../api-error.js'
import { InvalidLabelError, type IssuedKey } from '../../../keys/issue.js'
import { InvalidOriginsError } from '../../../keys/key-origins.js'
import type { KeyRecord } from '../../../keys/key-record.js'
import { isIdOf } from '../../../keys/secret.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import { failureSchemas, OPEN_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { IssuedKey as IssuedKeyBody, KeyList, KeyParams, NewKeyBody, RevokedKey } from './schema.js'

/**
 * `/api/keys`: what a wallet that is signed in does with its keys. A key itself opens none of
 * these.
 */
export function keyRoutes({ walletKeys }: Pick<Services, 'walletKeys'>): RouteOptions[] {
  return [
    {
      method: 'GET',
      url: '/api/keys',
      config: { access: 'session' },
      schema: { operationId: 'listKeys', summary: 'The keys of the wallet', ...described(KeyList, []) },
      handler: async (request) => {
        const records = await walletKeys.list(walletOf(request))
        return { success: true, keys: records.map(toKeyBody), maxKeys: MAX_KEYS_PER_WALLET }
      },
    },
    {
      method: 'POST',
      url: '/api/keys',
      config: { access: 'session' },
      schema: {
        operationId: 'createKey',
        summary: 'Make a key',
        body: NewKeyBody,
        ...described(IssuedKeyBody, ['invalid_label', 'invalid_origins', 'key_limit', 'key_order_limit'], 201),
      },
      handler: async (request, reply) => {
        const issued = await walletKeys.create(buyerOf(request), parseWish(request.body)).catch(translate)
        return reply.code(201).send(toIssuedBody(issued))
      },
    },
    {
      method: 'POST',
      url: '/api/keys/:id/rotate',
      config: { access: 'session' },
      schema: {
        operationId: 'rotateKey',
        summary: 'Replace a key by a new one',
        params: KeyParams,
        ...described(IssuedKeyBody, ['not_found', 'key_not_found', 'key_order_limit'], 201),
      },
      handler: async (request, reply) => {
        const issued = await walletKeys.rotate(buyerOf(request), idOf(request)).catch(translate)
        if (issued === undefined) throw new ApiError('key_not_found')
        return reply.code(201).send(toIssuedBody(issued))
      },
    },
    {
      method: 'DELETE',
      url: '/api/keys/:id',
      config: { access: 'session' },
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        params: KeyParams,
        ...described(RevokedKey, ['not_found', 'key_not_found']),
      },
      handler: async (request) => {
        const id = idOf(request)
        if (!(await walletKeys.revoke(walletOf(request), id))) throw new ApiError('key_not_found')
        return { success: true, id }
      },
    },
  ]
}

function described(success: object, failures: readonly ApiErrorCode[], status = 200) {
  return {
    security: [{ session: [] }],
    response: {
      [status]: success,
      ...failureSchemas([...OPEN_FAILURES, 'session_required', 'foreign_origin', ...failures]),
    },
  }
}

/** `admit` has seen to it that there is one. */
function walletOf({ wallet }: FastifyRequest): Wallet {
  if (wallet === undefined) throw new ApiError('session_required')
  return wallet
}

function buyerOf(request: FastifyRequest): KeyBuyer {
  return { wallet: walletOf(request), ip: request.ip }
}

function idOf({ params }: FastifyRequest): string {
  const { id } = params as { id: string }
  if (!isIdOf('key', id)) throw new ApiError('key_not_found')
  return id
}

function parseWish(body: unknown): KeyWish {
  const fields = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const label: unknown = fields.get('label')
  if (typeof label !== 'string') throw new ApiError('invalid_label')
  const origins: unknown = fields.get('origins') ?? []
  if (!Array.isArray(origins) || !origins.every((origin) => typeof origin === 'string')) {
    throw new ApiError('invalid_origins')
  }
  return { label, origins }
}

/** Orders are forgotten after a day; an hour later there may be room. */
const RETRY_AFTER = { 'retry-after': '3600' }

function translate(error: unknown): never {
  if (error instanceof InvalidLabelError) throw new ApiError('invalid_label', { cause: error })
  if (error instanceof InvalidOriginsError) throw new ApiError('invalid_origins', { cause: error })
  if (!(error instanceof KeyCapError)) throw error
  if (error.of === 'wallet') throw new ApiError('key_limit', { cause: error })
  throw new ApiError('key_order_limit', { cause: error, headers: RETRY_AFTER })
}

function toIssuedBody({ key, record }: IssuedKey) {
  return { success: true, key, ...toKeyBody(record) }
}

function toKeyBody({ id, label, masked, tier, limits, origins, createdAt, lastUsedAt }: KeyRecord) {
  return {
    id,
    label,
    masked,
    tier,
    limits,
    origins,
    createdAt: toIsoTime(createdAt),
    lastUsedAt: lastUsedAt === undefined ? null : toIsoTime(lastUsedAt),
  }
}
