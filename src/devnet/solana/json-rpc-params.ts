import { BaseError } from '../../errors.js'

export type Params = readonly unknown[]

/** What callers may say beside what they ask for. */
export interface Config {
  dataSlice?: { offset: number; length: number }
  minContextSlot?: number
  filters?: readonly { memcmp?: { offset: number; bytes: string }; dataSize?: number }[]
  accounts?: { addresses: readonly string[] }
  limit?: number
  until?: string
  before?: string
  transactionDetails?: string
}

export const configOf = (value: unknown): Config => (typeof value === 'object' && value !== null ? value : {})

/** A call that the node refuses. */
export class RpcCallError extends BaseError {
  override readonly name = 'RpcCallError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
