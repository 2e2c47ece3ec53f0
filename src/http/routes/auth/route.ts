import type { FastifyRequest, RouteOptions } from 'fastify'
import { type SignIn, SignInError } from '../../../accounts/sign-in.js'
import { addressOf, type Wallet } from '../../../accounts/wallet.js'
import { ApiError, type ApiErrorCode } from '../../../api-error.js'
import { checksumAddress } from '../../../checksum-address.js'
import type { Address } from '../../../hex.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import { failureSchemas, OPEN_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'
import { clearSessionCookie, readSessionToken, setSessionCookie } from '../../session-cookie.js'
import { LogoutAnswer, NonceAnswer, NonceQuery, SessionAnswer, VerifyAnswer, VerifyBody } from './schema.js'

/**
 * `/api/auth`: a wallet signs in, is known for a week, and signs out. For everyone, so counted by
 * address.
 */
export function authRoutes(services: Pick<Services, 'clock' | 'config' | 'signIn'>): RouteOptions[] {
  return [nonceRoute(services), verifyRoute(services), sessionRoute(services), logoutRoute(services)]
}

function nonceRoute({ signIn }: Pick<Services, 'signIn'>): RouteOptions {
  return {
    method: 'GET',
    url: '/api/auth/nonce',
    config: { access: 'counted' },
    schema: {
      operationId: 'startSignIn',
      summary: 'A nonce, and the message to sign with it',
      security: [],
      querystring: NonceQuery,
      response: {
        200: NonceAnswer,
        ...failureSchemas([...OPEN_FAILURES, 'unsupported_chain', 'invalid_wallet']),
      },
    },
    handler: async (request) => {
      const { message, issuedAt, expirationTime, ...offer } = await signIn
        .begin({
          host: request.headers.host,
          chain: readQuery(request, 'chainId'),
          address: readQuery(request, 'address'),
        })
        .catch(translate)
      return {
        success: true,
        ...offer,
        issuedAt: toIsoTime(issuedAt),
        expirationTime: toIsoTime(expirationTime),
        message: message ?? null,
      }
    },
  }
}

function verifyRoute({ clock, config, signIn }: Pick<Services, 'clock' | 'config' | 'signIn'>): RouteOptions {
  return {
    method: 'POST',
    url: '/api/auth/verify',
    config: { access: 'counted' },
    schema: {
      operationId: 'signIn',
      summary: 'Sign in with a signed message',
      security: [],
      body: VerifyBody,
      response: { 200: VerifyAnswer, ...failureSchemas([...OPEN_FAILURES, ...VERIFY_FAILURES]) },
    },
    handler: async (request, reply) => {
      const session = await signIn.finish(parseSigned(request.body)).catch(translate)
      setSessionCookie(request, reply, { config, session, now: clock.now() })
      return { success: true, wallet: toWalletBody(session.wallet), expiresAt: toIsoTime(session.expiresAt) }
    },
  }
}

const VERIFY_FAILURES = [
  'invalid_sign_in',
  'invalid_sign_in_message',
  'unsupported_chain',
  'foreign_sign_in',
  'sign_in_expired',
  'invalid_nonce',
  'invalid_signature',
  'foreign_origin',
  'wallet_unavailable',
] as const satisfies readonly ApiErrorCode[]

function sessionRoute({ config, signIn }: Pick<Services, 'config' | 'signIn'>): RouteOptions {
  return {
    method: 'GET',
    url: '/api/auth/session',
    config: { access: 'counted' },
    schema: {
      operationId: 'readSession',
      summary: 'Who is signed in',
      security: [],
      response: { 200: SessionAnswer, ...failureSchemas([...OPEN_FAILURES, 'foreign_origin']) },
    },
    handler: async (request) => {
      const wallet = await findWallet(request, { config, signIn })
      return { success: true, wallet: wallet === undefined ? null : toWalletBody(wallet) }
    },
  }
}

function logoutRoute({ config, signIn }: Pick<Services, 'config' | 'signIn'>): RouteOptions {
  return {
    method: 'POST',
    url: '/api/auth/logout',
    config: { access: 'counted' },
    schema: {
      operationId: 'signOut',
      summary: 'End the session',
      security: [],
      response: { 200: LogoutAnswer, ...failureSchemas([...OPEN_FAILURES, 'foreign_origin']) },
    },
    handler: async (request, reply) => {
      const token = readSessionToken(request, config)
      if (token !== undefined) await signIn.end(token)
      clearSessionCookie(request, reply, config)
      return { success: true }
    },
  }
}

async function findWallet(request: FastifyRequest, { config, signIn }: Pick<Services, 'config' | 'signIn'>) {
  const token = readSessionToken(request, config)
  return token === undefined ? undefined : signIn.findWallet(token)
}

/** The one value of a parameter; a parameter that is there twice has none that could be meant. */
function readQuery({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name]
  if (Array.isArray(value)) throw new ApiError(name === 'address' ? 'invalid_wallet' : 'unsupported_chain')
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parseSigned(body: unknown): Parameters<SignIn['finish']>[0] {
  const fields = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const message: unknown = fields.get('message')
  const signature: unknown = fields.get('signature')
  if (typeof message !== 'string' || typeof signature !== 'string' || message === '' || signature === '') {
    throw new ApiError('invalid_sign_in')
  }
  return { message, signature }
}

function toWalletBody(wallet: Wallet) {
  const address = addressOf(wallet)
  if (wallet.startsWith('solana:')) return { id: wallet, address, kind: 'solana' }
  const kind = wallet.split(':').length === 3 ? 'contract' : 'ethereum'
  return { id: wallet, address: checksumAddress(address as Address), kind }
}

const CODES = {
  message: 'invalid_sign_in_message',
  foreign: 'foreign_sign_in',
  chain: 'unsupported_chain',
  address: 'invalid_wallet',
  expired: 'sign_in_expired',
  nonce: 'invalid_nonce',
  signature: 'invalid_signature',
  node: 'wallet_unavailable',
  busy: 'busy',
} as const satisfies Record<SignInError['reason'], ApiErrorCode>

/** Sign-ins under way end within minutes. */
const RETRY_AFTER = { 'retry-after': '30' }

function translate(error: unknown): never {
  if (!(error instanceof SignInError)) throw error
  const isTemporary = error.reason === 'busy' || error.reason === 'node'
  throw new ApiError(CODES[error.reason], { cause: error, ...(isTemporary && { headers: RETRY_AFTER }) })
}
