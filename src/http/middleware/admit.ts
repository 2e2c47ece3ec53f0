import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../api-error.js'
import { FREE_LIMITS, type KeyLimits } from '../../keys/key-record.js'
import { addressShares } from '../../limits/caller-address.js'
import { isAtHome, showToPage } from '../cross-origin.js'
import type { Services } from '../services.js'
import { readSessionToken } from '../session-cookie.js'
import { authorize } from './authorize.js'
import { checkOrigin } from './check-origin.js'
import { countAddress, countGuest, countReader, countRequest } from './rate-limit.js'

type AdmitServices = Pick<Services, 'config' | 'keys' | 'limiter' | 'signIn'>

/**
 * Lets a request in as its route's `access` says, and counts it for its caller. Nothing of the body
 * is read before.
 */
export function admit(services: AdmitServices, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { access = 'key', limitClass = 'general' } = request.routeOptions.config
  switch (access) {
    case 'open':
      return Promise.resolve()
    case 'counted':
      return admitCounted(services, request, reply)
    case 'shown':
      return countReader(services.limiter, request, reply)
    case 'session':
      return admitSession(services, request, reply, limitClass)
    case 'key-session-or-guest':
      if (isGuest(services, request)) return admitGuest(services, request, reply)
      return admitKeyOrSession(services, request, reply, limitClass)
    case 'key-or-session':
      return admitKeyOrSession(services, request, reply, limitClass)
    case 'key':
      return admitKey(services, request, reply, limitClass)
  }
}

/** Who brings nothing is a guest where the operator has room for guests. */
function isGuest({ config }: AdmitServices, request: FastifyRequest): boolean {
  const hasNothing = request.headers.authorization === undefined && readSessionToken(request, config) === undefined
  return hasNothing && config.guestChecks > 0
}

async function admitGuest(services: AdmitServices, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  checkOrigin(request, services.config)
  await countGuest(services.limiter, request, { limit: services.config.guestChecks, reply })
}

function admitKeyOrSession(
  services: AdmitServices,
  request: FastifyRequest,
  reply: FastifyReply,
  limitClass: keyof KeyLimits,
): Promise<void> {
  return hasSessionOnly(services, request)
    ? admitSession(services, request, reply, limitClass)
    : admitKey(services, request, reply, limitClass)
}

async function admitCounted(services: AdmitServices, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  checkOrigin(request, services.config)
  await countAddress(services.limiter, request, reply)
}

async function admitKey(
  services: AdmitServices,
  request: FastifyRequest,
  reply: FastifyReply,
  limitClass: keyof KeyLimits,
): Promise<void> {
  const key = await authorize(services, request, reply)
  if (!isAtHome(request, key)) {
    await countAddress(services.limiter, request, reply)
    throw new ApiError('foreign_origin')
  }
  showToPage(request, reply, { origins: key.origins, compat: services.config.compat })
  request.apiKey = key
  const { id, limits } = key
  const caller = { kind: 'key', id } as const
  await countRequest(services.limiter, { caller, limitClass, limit: limits[limitClass] }, reply)
}

/**
 * A session has the limits of a free key, and is counted apart from keys: wallets cost nothing. For
 * the same reason its requests are counted by address as well.
 */
async function admitSession(
  services: AdmitServices,
  request: FastifyRequest,
  reply: FastifyReply,
  limitClass: keyof KeyLimits,
): Promise<void> {
  const { config, limiter, signIn } = services
  checkOrigin(request, config)
  const token = readSessionToken(request, config)
  const wallet = token === undefined ? undefined : await signIn.findWallet(token)
  if (wallet === undefined) {
    await countAddress(services.limiter, request, reply)
    throw new ApiError('session_required')
  }
  request.wallet = wallet
  const caller = { kind: 'session', id: wallet } as const
  const limit = FREE_LIMITS[limitClass]
  const within = addressShares(request.ip, limit * PEOPLE_PER_ADDRESS, 'sessions')
  await countRequest(limiter, { caller, limitClass, limit, within }, reply)
}

/** Behind one gateway. */
const PEOPLE_PER_ADDRESS = 3

function hasSessionOnly({ config }: AdmitServices, request: FastifyRequest): boolean {
  return request.headers.authorization === undefined && readSessionToken(request, config) !== undefined
}
