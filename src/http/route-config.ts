import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { Wallet } from '../accounts/wallet.js'
import { ApiError, type ApiErrorCode } from '../api-error.js'
import type { KeyLimits, KeyRecord } from '../keys/key-record.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `open`: for everyone, not counted. `counted`: for everyone, counted by address. `shown`: the
     * same, from pages of other sites too. `session`: for wallets that are signed in. `key`: with
     * an API key; a route that says nothing is this. `key-or-session`: with either, and a key comes
     * first. `key-session-or-guest`: with neither too, as often as `ASSAY_GUEST_CHECKS` says.
     */
    access?: 'open' | 'counted' | 'shown' | 'session' | 'key' | 'key-or-session' | 'key-session-or-guest'
    /** Which counter the route uses; `general` where it says nothing. */
    limitClass?: keyof KeyLimits
    /** Whatever stands in the body is not read: forms of pages and of mail programs. */
    ignoresBody?: boolean
    /** What the client reads when the route breaks. */
    failure?: ApiErrorCode
  }
  interface FastifyRequest {
    /** The caller's key, on routes that need one. */
    apiKey: KeyRecord | undefined
    /** The caller's wallet, on routes for sessions. */
    wallet: Wallet | undefined
  }
}

/** Whether requests with a key get in. */
export const isForKeys = ({ access = 'key' }: FastifyContextConfig = {}): boolean => access.startsWith('key')

/** `admit` has seen to it that there is one. */
export function keyOf({ apiKey }: FastifyRequest): KeyRecord {
  if (apiKey === undefined) throw new ApiError('invalid_key')
  return apiKey
}
