import { ApiError, type ApiErrorCode } from '../api-error.js'
import { BaseError } from '../errors.js'
import { isMachineBusy } from '../scheduling/machine-load.js'
import { BlockNotFoundError } from '../state/state-source.js'

/** What an unexpected error becomes for the client: nothing of its text leaves the service. */
export function toApiError(error: unknown, failure: ApiErrorCode): ApiError {
  if (error instanceof ApiError) return error
  if (isMachineBusy(error)) return new ApiError('machine_busy', { cause: error, headers: BUSY_HEADERS })
  const isBlockMissing = error instanceof BaseError && error.find(BlockNotFoundError) !== undefined
  return new ApiError(isBlockMissing ? 'block_not_found' : failure, { cause: error })
}

/** What makes a machine busy seldom ends sooner. */
const BUSY_HEADERS = { 'retry-after': '5' }
