import type { KeyRecord } from '../keys/key-record.js'
import type { LimitClass } from '../limits/limiter.js'
import type { ApiErrorCode } from './api-error.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open` routes need no key and are not counted. All others need one; a route that says nothing is closed. */
    access?: 'open' | 'key'
    /** Which counter the route uses; `general` where it says nothing. */
    limitClass?: LimitClass
    /** What the client reads when the route breaks. */
    failure?: ApiErrorCode
  }
  interface FastifyRequest {
    /** The caller's key; set by `authorize` on every route that is not open. */
    apiKey: KeyRecord | undefined
  }
}
