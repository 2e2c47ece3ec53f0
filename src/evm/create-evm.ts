import { type EngineFacts, takesNoTips } from '../chains/chain.js'
import { findChain } from '../chains/index.js'
import { createSystemClock } from '../clock.js'
import { type Address, EMPTY_CODE_HASH, type Hex, ZERO_ADDRESS } from '../hex.js'
import { toWord, type Word, wordFromBytes, wordToBytes } from '../instructions/word.js'
import { keepCompiled } from '../keep-compiled.js'
import type { BlockEnvironment } from './block-environment.js'
import { type ChainExtras, chainExtras } from './chain-extras.js'
import { createCodeCache } from './code.js'
import type { Evm, EvmOptions, ReadRequest } from './evm.js'
import { executeDeposit, executeRead, executeSystemCall, executeTransaction } from './execute-transaction.js'
import { NO_BYTES } from './frame.js'
import { createHooks } from './hooks.js'
import type { Inspector } from './inspector.js'
import { keccak256, keccakHex } from './keccak-words.js'
import { createBudget, DEFAULT_LIMITS, type Limits } from './limits.js'
import { addressToWord, borrowFrames, frameAt, type Machine, returnFrames, toBlockWords } from './machine.js'
import { createSystemWrites, madeUpHash } from './made-up-blocks.js'
import type { Precompile } from './precompiles/precompile.js'
import { precompilesFor } from './precompiles/precompiles-for.js'
import { type RuleSet, type Rules, rulesFor } from './rules.js'
import { createStrangers } from './strangers.js'
import type { DepositRequest, TransactionResult } from './transaction.js'
import { type Checkpoint, createWorld, type World } from './world.js'

/** Gas of one read: ten times what a swap needs, and below the cap of EIP-7825. */
const READ_GAS = 10_000_000

/** How many block hashes BLOCKHASH reaches back. */
const BLOCK_HASH_WINDOW = 256

/** A private copy of the chain. Everything it changes stays in it. */
export function createEvm(options: EvmOptions): Evm {
  return createEngine(options).evm
}

/** What only the conformance suites change. */
export interface EngineOptions extends EvmOptions {
  precompiles?: ReadonlyMap<Word, Precompile>
}

/** The engine with its state laid open, and what blocks hold besides transactions. */
export interface Engine {
  evm: Evm
  world: World
  deposit(request: DepositRequest): TransactionResult
  systemCall(call: { to: Address; data: Hex }): TransactionResult
  /** From here on the limits are whole again: those of a request are those of a transaction. */
  renewBudget(limits?: Partial<Limits>): void
}

/** For conformance suites and whole blocks, which compare state roots. */
export function createEngine(options: EngineOptions): Engine {
  const strangers = createStrangers()
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const codeCache = options.codeCache ?? sharedCodeCache
  const world = createWorld(options.state, codeCache, strangers, limits.misses)
  const facts = factsOf(options)
  const rules = rulesOf(options.hardfork, facts)
  const firstNumber = options.block.number
  const snapshots: Checkpoint[] = []
  let block = options.block
  const zeroWord = addressToWord(ZERO_ADDRESS)

  const newBudget = (wider?: Partial<Limits>) =>
    createBudget({ ...limits, ...wider }, options.clock ?? createSystemClock())
  const hashOf = (number: Word) => blockHash(options, machine.extras, world, block, firstNumber, number)

  const machine: Machine = {
    world,
    rules,
    budget: newBudget(),
    block: toBlockWords(block),
    origin: zeroWord,
    gasPrice: 0,
    blobHashes: [],
    precompiles: options.precompiles ?? precompilesFor(options.hardfork, facts, () => block),
    extras: chainExtras(facts),
    hooks: undefined,
    strangers,
    blockHash: hashOf,
    systemWrites: options.secret && createSystemWrites(world, options.hardfork, options.secret, () => block, hashOf),
    frames: [],
    gasLeft: 0,
    output: NO_BYTES,
    error: undefined,
  }

  const inspected = <T>(inspectors: readonly Inspector[] = [], work: () => T): T => {
    machine.hooks =
      inspectors.length === 0 ? undefined : createHooks(inspectors, frameAt(machine, 0, world.entry(zeroWord)))
    try {
      return work()
    } finally {
      machine.hooks = undefined
    }
  }

  /** Runs something that must leave no trace if it fails. */
  const orUndo = <T>(work: () => T): T => {
    if (snapshots.length === 0) world.forgetUndo()
    const before = world.checkpoint()
    machine.frames = borrowFrames()
    try {
      const result = work()
      returnFrames(machine.frames)
      return result
    } catch (error) {
      world.revert(before)
      throw error
    } finally {
      machine.frames = []
    }
  }

  const override = (address: Address) => world.account(addressToWord(address))

  const evm: Evm = {
    get block() {
      return block
    },
    setBlock(next) {
      block = next
      machine.block = toBlockWords(next)
    },
    transact: (tx, inspectors) => orUndo(() => inspected(inspectors, () => executeTransaction(machine, tx, block))),
    read: (call, inspectors) =>
      orUndo(() =>
        inspected(inspectors, () => {
          const before = world.checkpoint()
          const result = executeRead(machine, toRead(call))
          world.revert(before)
          return result
        }),
      ),
    act: (call, inspectors) => orUndo(() => inspected(inspectors, () => executeRead(machine, toRead(call)))),
    snapshot() {
      snapshots.push(world.checkpoint())
      return snapshots.length - 1
    },
    restore(snapshot) {
      const checkpoint = snapshots[snapshot]
      if (checkpoint === undefined) throw new RangeError(`there is no snapshot ${snapshot}`)
      world.revert(checkpoint)
      snapshots.length = snapshot + 1
    },
    account(address) {
      const account = override(address)
      return { balance: account.balance, nonce: world.nonce(account), codeHash: account.codeHash }
    },
    code: (address) => world.code(override(address)).bytes,
    storage: (address, slot) => BigInt(world.readSlot(override(address), toWord(slot)).value),
    addStranger: strangers.add,
    setBalance: (address, balance) => world.setBalance(override(address), balance),
    setNonce: (address, nonce) => world.setNonce(override(address), nonce),
    setCode(address, code) {
      const hash = code.length === 0 ? EMPTY_CODE_HASH : keccakHex(code)
      world.setCode(override(address), codeCache.prepare(hash, code))
    },
    setStorage(address, slot, value) {
      world.writeSlot(world.readSlot(override(address), toWord(slot)), toWord(value))
    },
    misses: world.misses,
  }
  return keepCompiled('engine', {
    evm,
    world,
    deposit: (request) => orUndo(() => executeDeposit(machine, request)),
    systemCall: (call) => orUndo(() => executeSystemCall(machine, call)),
    renewBudget(wider) {
      machine.budget = newBudget(wider)
    },
  })
}

/** Prepared code is the same for all runs, so one process shares what it has prepared. */
const sharedCodeCache = createCodeCache()

/** What is not said of the chain is what its file says. */
const factsOf = ({ engine, block }: EvmOptions) => engine ?? findChain(block.chainId)?.engine

function rulesOf(hardfork: RuleSet, facts: EngineFacts | undefined): Rules {
  const rules = rulesFor(hardfork)
  const cap = Number.isFinite(rules.maxTransactionGas) ? facts?.maxTransactionGas : undefined
  return { ...rules, ...(cap !== undefined && { maxTransactionGas: cap }), dropsTips: takesNoTips(facts) }
}

function toRead({ from = ZERO_ADDRESS, to, data, value = 0n, gas = READ_GAS }: ReadRequest) {
  return { from, to, data, value, gas }
}

/**
 * BLOCKHASH: the chain's own for past blocks. A block that this run has travelled past never
 * existed; it gets a hash that looks like one and stays the same within the run.
 */
function blockHash(
  { state, secret }: EvmOptions,
  extras: ChainExtras | undefined,
  world: World,
  block: BlockEnvironment,
  firstNumber: bigint,
  number: Word,
): Word {
  const age = block.number - BigInt(number)
  if (age < 1n || age > BLOCK_HASH_WINDOW) return 0
  const isMadeUp = BigInt(number) >= firstNumber || extras?.madeUpBlockHashes === true
  if (isMadeUp && secret) return toWord(BigInt(madeUpHash(secret, 'block', BigInt(number))))
  if (isMadeUp) return wordFromBytes(keccak256(wordToBytes(toWord(BigInt(block.prevRandao) ^ BigInt(number)))))
  const known = state.blockHash(BigInt(number))
  if (known === undefined) world.missBlockHash(BigInt(number))
  return known === undefined ? 0 : toWord(BigInt(known))
}
