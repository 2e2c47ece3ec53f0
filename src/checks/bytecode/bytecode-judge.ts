import type { Chain } from '../../chains/chain.js'
import { BaseError } from '../../errors.js'
import { type Address, EMPTY_CODE_HASH } from '../../hex.js'
import { ThreadTimeoutError } from '../../simulation/run-in-thread.js'
import { createThreads, workerBeside } from '../../simulation/threads.js'
import { untilKnown } from '../../simulation/until-known.js'
import type { StateMiss } from '../../state/state-reader.js'
import type { StateSnapshot, StateSource } from '../../state/state-source.js'
import type { BytecodeReport } from './bytecode-report.js'
import type { JudgeAnswer, JudgeRequest } from './judge-worker.js'

export interface BytecodeJudgeRequest {
  state: StateSource
  address: Address
  chain: Chain
  signal?: AbortSignal
}

/** Judges bytecode in worker threads, so that hostile code holds up no other request. */
export interface BytecodeJudge {
  /**
   * Rejects with what `StateSource.load` rejects with, and with `BytecodeResistedError` when the
   * code kept a thread busy too long.
   */
  judge(request: BytecodeJudgeRequest): Promise<BytecodeReport>
  /** Codes that wait for a thread. */
  queued(): number
  close(): Promise<void>
}

/**
 * Account, slots, delegates and their slots, three levels deep, and who can exchange them: each at
 * most two requests to the node.
 */
const MAX_ROUNDS = 20
/**
 * Three codes at the hard stop of a second each, with room for a busy machine. Beyond that the
 * thread is killed.
 */
const TIMEOUT_MS = 5_000
const MAX_WORKER_HEAP_MB = 384

export interface BytecodeJudgeOptions {
  threads?: number
  /**
   * Told of what goes wrong in a thread outside any run, such as an answer that comes after its run
   * was given up.
   */
  onStrayError?(error: unknown): void
}

export function createBytecodeJudge({
  threads = 1,
  onStrayError = () => {},
}: BytecodeJudgeOptions = {}): BytecodeJudge {
  const pool = createThreads<JudgeRequest, JudgeAnswer>({
    worker: workerBeside(import.meta.url, 'judge-worker'),
    threads,
    kept: 0,
    timeoutMs: TIMEOUT_MS,
    maxHeapMb: MAX_WORKER_HEAP_MB,
    onStrayError,
  })
  return {
    judge({ state, address, chain, signal }) {
      const asked: StateMiss[] = []
      const run = () => {
        const request = { address, chain, block: state.block, known: pick(state, asked) }
        return pool.run(request, { caller: state.caller, signal }).catch(toResisted)
      }
      return untilKnown({
        rounds: MAX_ROUNDS,
        run,
        async load({ misses }) {
          await state.load(misses)
          asked.push(...misses)
        },
        unsettled: () => new BytecodeResistedError(),
      })
    },
    queued: pool.queued,
    close: pool.close,
  }
}

function toResisted(error: unknown): never {
  throw error instanceof ThreadTimeoutError ? new BytecodeResistedError() : error
}

/** The answers to what was asked. The source may know much more, of other jobs. */
function pick(state: StateSource, asked: readonly StateMiss[]): StateSnapshot {
  const known: StateSnapshot = { accounts: new Map(), code: new Map(), storage: new Map(), blockHashes: new Map() }
  for (const miss of asked) {
    if (miss.kind === 'account') {
      const account = state.account(miss.address)
      if (account === undefined) continue
      known.accounts.set(miss.address, account)
      const code = account.codeHash === EMPTY_CODE_HASH ? new Uint8Array() : state.code(account.codeHash)
      if (code !== undefined) known.code.set(account.codeHash, code)
    }
    if (miss.kind === 'storage') {
      const words = known.storage.get(miss.address) ?? new Map<bigint, bigint>()
      words.set(miss.slot, state.storage(miss.address, miss.slot) ?? 0n)
      known.storage.set(miss.address, words)
    }
  }
  return known
}

/**
 * The code could not be judged within its time. Never a clean result, and not proof of harm either.
 */
export class BytecodeResistedError extends BaseError {
  override readonly name = 'BytecodeResistedError'
  constructor() {
    super('Bytecode analysis resisted: the code could not be read within its time')
  }
}
