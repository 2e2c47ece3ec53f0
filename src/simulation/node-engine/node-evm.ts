import type { Chain } from '../../chains/chain.js'
import { chainExtras, UnsupportedExecutionError } from '../../evm/chain-extras.js'
import { prepareCode } from '../../evm/code.js'
import type { Evm, ReadRequest } from '../../evm/evm.js'
import type { TransactionResult } from '../../evm/transaction.js'
import { type Address, bytesToHex } from '../../hex.js'
import { toWord } from '../../instructions/word.js'
import { announce } from './announce.js'
import {
  extend,
  type History,
  NO_HISTORY,
  type NodeAnswer,
  type NodeAnswers,
  type NodeQuestion,
  type Override,
  questionAbout,
  type Wanted,
} from './question.js'

/** An {@link Evm} whose transactions the chain's node executes. */
export interface NodeEvm extends Evm {
  /** What was not answered yet. A run with questions is void, like one with misses. */
  readonly questions: readonly NodeQuestion[]
}

/** Asked in one run; a scenario that branches as widely as a round trip asks some twenty. */
const MAX_QUESTIONS = 200
/** Stands for code that cannot be shown: INVALID, as chains plant it themselves. */
const UNSHOWABLE_CODE = Uint8Array.of(0xfe)
const WORD_OF_ZERO = `0x${'00'.repeat(32)}` as const

/**
 * Lets a scenario run on a node that is asked later. What is known in `answers` is given; what is
 * not is written down as a question and answered with nothing, as the engine does with unknown
 * state. Reads before the first transaction run on `local`, as long as they meet nothing foreign.
 * Storage after a transaction is not followed: scenarios that are to run here must ask contracts,
 * not slots.
 */
export function createNodeEvm(local: Evm, chain: Chain, answers: NodeAnswers): NodeEvm {
  const questions = new Map<string, NodeQuestion>()
  const marks: { local: number; history: History; hasActed: boolean }[] = []
  let history = NO_HISTORY
  let hasActed = false

  const ask = (wanted: Wanted): NodeAnswer | undefined => {
    const question = questionAbout(history, local.block, wanted)
    const answer = answers.get(question.key)
    if (answer === undefined && questions.size < MAX_QUESTIONS) questions.set(question.key, question)
    return answer
  }
  const override = (address: Address, change: Override) => {
    history = extend(history, { kind: 'override', address, change })
  }
  const readOnNode = (call: ReadRequest): TransactionResult =>
    (ask({ kind: 'read', call }) as TransactionResult | undefined) ?? nothing(WORD_OF_ZERO)
  const isForeign = (address: Address) => {
    const code = local.code(address)
    const reason = chainExtras(chain.engine)?.unsupported(toWord(BigInt(address)), prepareCode('0x', code))
    return reason !== undefined
  }

  return {
    get block() {
      return local.block
    },
    setBlock: local.setBlock,
    transact(tx, inspectors = []) {
      history = extend(history, { kind: 'transaction', block: local.block, tx })
      hasActed = true
      const result = (ask({ kind: 'outcome' }) as TransactionResult | undefined) ?? nothing('0x')
      announce(inspectors, tx, result)
      return result
    },
    read(call, inspectors) {
      if (hasActed) return readOnNode(call)
      try {
        return local.read(call, inspectors)
      } catch (error) {
        if (error instanceof UnsupportedExecutionError) return readOnNode(call)
        throw error
      }
    },
    act() {
      throw new UnsupportedExecutionError('a node plays no call of a contract by itself')
    },
    snapshot() {
      marks.push({ local: local.snapshot(), history, hasActed })
      return marks.length - 1
    },
    restore(snapshot) {
      const mark = marks[snapshot]
      if (mark === undefined) throw new RangeError(`there is no snapshot ${snapshot}`)
      local.restore(mark.local)
      history = mark.history
      hasActed = mark.hasActed
      marks.length = snapshot + 1
    },
    account(address) {
      const account = local.account(address)
      if (!hasActed) return account
      return { ...account, balance: (ask({ kind: 'balance', address }) as bigint | undefined) ?? 0n }
    },
    code: (address) => (isForeign(address) ? UNSHOWABLE_CODE : local.code(address)),
    storage: local.storage,
    addStranger: local.addStranger,
    setBalance(address, balance) {
      local.setBalance(address, balance)
      override(address, { balance })
    },
    setNonce(address, nonce) {
      local.setNonce(address, nonce)
      override(address, { nonce })
    },
    setCode(address, code) {
      local.setCode(address, code)
      override(address, { code: bytesToHex(code) })
    },
    setStorage(address, key, value) {
      local.setStorage(address, key, value)
      override(address, { slot: { key, value } })
    },
    misses: local.misses,
    get questions() {
      return [...questions.values()]
    },
  }
}

/** What an unanswered question is answered with meanwhile. */
function nothing(output: TransactionResult['output']): TransactionResult {
  return { status: 'success', gasUsed: 0n, output, logs: [] }
}
