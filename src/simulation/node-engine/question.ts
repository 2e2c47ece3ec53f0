import { createHash } from 'node:crypto'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { ReadRequest } from '../../evm/evm.js'
import type { TransactionRequest, TransactionResult } from '../../evm/transaction.js'
import type { Address, Hex } from '../../hex.js'

/**
 * What happened on the private copy so far, in order: a node that is asked plays it again. Plain
 * data.
 */
export type Step =
  | { kind: 'transaction'; block: BlockEnvironment; tx: TransactionRequest }
  | { kind: 'override'; address: Address; change: Override }

export interface Override {
  balance?: bigint
  nonce?: bigint
  code?: Hex
  slot?: { key: bigint; value: bigint }
}

/**
 * What is to be known after these steps: how the last of them ended, what a contract answers, or
 * how much native coin an account has.
 */
export type Wanted = { kind: 'outcome' } | { kind: 'read'; call: ReadRequest } | { kind: 'balance'; address: Address }

export interface NodeQuestion {
  /** The same for the same question. */
  key: string
  steps: readonly Step[]
  /** The block in which a read happens. */
  block: BlockEnvironment
  wanted: Wanted
}

/** What the node said: a result, or an amount in wei. */
export type NodeAnswer = TransactionResult | bigint

/** Answers by the key of the question. */
export type NodeAnswers = ReadonlyMap<string, NodeAnswer>

/** How many steps a history may have: a round trip with its waits has about ten. */
const MAX_STEPS = 64

/**
 * A history that knows its own key, so that asking about a long one costs no more than about a
 * short one.
 */
export interface History {
  steps: readonly Step[]
  key: string
}

export const NO_HISTORY: History = { steps: [], key: '' }

export function extend({ steps, key }: History, step: Step): History {
  if (steps.length >= MAX_STEPS) throw new RangeError(`a history has at most ${MAX_STEPS} steps`)
  return { steps: [...steps, step], key: digest(key, step) }
}

export function questionAbout({ steps, key }: History, block: BlockEnvironment, wanted: Wanted): NodeQuestion {
  return { key: digest(key, { block, wanted }), steps, block, wanted }
}

function digest(before: string, what: object): string {
  const text = JSON.stringify(what, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  return createHash('sha256').update(before).update(text).digest('base64')
}
