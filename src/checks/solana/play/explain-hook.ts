import {
  PROGRAM_DATA_HEADER_BYTES,
  programDataAddress,
  readUpgradeability,
  type SolanaAccount,
} from '../../../solana/account.js'
import type { SolanaAddress } from '../../../solana/address.js'
import { ATA_PROGRAM, MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/programs.js'
import { type Followed, followProgram } from '../../../solana/sbf/follow-program.js'
import { type ReadCode, serialiseCall } from '../../../solana/sbf/program-input.js'
import { readElf, SbfFormatError, type SbfProgram } from '../../../solana/sbf/read-elf.js'
import { mayWriteOutside } from '../../../solana/sbf/writes-outside.js'
import type { Fork } from '../../../solana/svm/fork.js'
import type { Mint } from '../../../solana/token/mint.js'
import { amountIn, asInTransfer } from '../../../solana/token/token-account.js'
import type { InnerCall, TransactionResult } from '../../../solana/transaction-result.js'
import { type Circumstance, otherwise } from './hook-circumstances.js'
import type { HookCondition, HookFacts } from './hook-facts.js'
import type { People } from './people.js'
import type { LegFacts } from './play-facts.js'
import { type Actor, give, type Holding, measure, transferOf } from './play-stage.js'

export interface HookStage {
  fork: Fork
  mint: Mint
  /** Of the token's hook. */
  program: SolanaAddress
  trader: Actor
  vault: Holding & { amount: bigint }
  people: People
  /** What people sell at a time. */
  plain: bigint
  /** Puts everything back as at the beginning, with nothing in the trader's account. */
  reset(): void
  /** Puts everything back, and buys: what the hook remembers of buyers stands. */
  buy(): void
}

/** Sales that are played to see what a hook decides by. Each costs a millisecond or two. */
const MAX_PLAYS = 48
/** Compute units that all of them may use: a quarter of what one analysis has. */
const MAX_UNITS = 10_000_000n
/** Instructions that are followed in all: some ten thousand are a hook's way through a sale. */
const MAX_STEPS = 1_000_000
/** What searches for the other side of decisions may cost; `EFFORT` says what each kind does. */
const MAX_EFFORT = 1_000
/**
 * Decisions of one place in the code that are turned, and in one direction: a loop meets it often.
 */
const MAX_PER_PLACE = 3
/**
 * Conditions that hold at the same time: a sale that is refused late, large, to some, and by a
 * list.
 */
const MAX_DEPTH = 4

/**
 * Follows the hook's program through a sale, brings about otherwise whatever its decisions hang on,
 * and sells again. `undefined` where no plain sale goes through: there is nothing to be explained.
 */
export function explainHook(stage: HookStage): HookFacts | undefined {
  try {
    return explain(stage)
  } catch {
    // Whatever went wrong: the trades that were played count, and nothing becomes kinder.
    return { isExplained: false, unread: ['it could not be followed'], decisions: 0, harmful: [] }
  }
}

function explain(stage: HookStage): HookFacts | undefined {
  const first: Circumstance = { by: [], afterSeconds: 0, amount: stage.plain, seller: stage.trader, set: new Map() }
  const plain = sell(stage, first)
  if (!plain.leg.ok) return undefined
  const unread = new Set<string>()
  const harmful: HookCondition[] = repeatSales(stage)
  const program = readProgram(stage.fork, stage.program, unread)
  if (program === undefined) return { isExplained: false, unread: [...unread], decisions: 0, harmful }
  const programs = readAsked(stage, program, unread)
  const waiting: { circumstance: Circumstance; sale: Sale }[] = [{ circumstance: first, sale: plain }]
  const turned = new Map<string, number>()
  const met = new Set<number>()
  const mayWrite = mayWriteOutside(program)
  const effort = { left: MAX_EFFORT }
  let plays = 0
  let steps = 0
  let units = 0n
  for (const { circumstance, sale } of waiting) {
    const { followed, call } = follow(stage, { program, programs }, circumstance, sale)
    if (followed.lostAt !== '') unread.add(followed.lostAt)
    else if (followed.result !== 0n) unread.add('it does otherwise than what was read')
    steps += followed.steps
    if (steps > MAX_STEPS || effort.left <= 0) {
      unread.add(TOO_MUCH)
      break
    }
    for (const decision of followed.decisions) {
      met.add(decision.at)
      if (effort.left <= 0) break
      const place = `${decision.at}:${decision.taken}`
      const times = turned.get(place) ?? 0
      if (times >= MAX_PER_PLACE) continue
      const others = otherwise(stage, { decision, circumstance, call, mayWrite, effort, unread })
      if (others.length > 0) turned.set(place, times + 1)
      for (const other of others) {
        if (plays >= MAX_PLAYS || units > MAX_UNITS) {
          unread.add(TOO_MUCH)
          break
        }
        plays += 1
        const result = sell(stage, other)
        units += result.leg.units
        const lossBps = result.leg.taxBps
        const isRefused = !result.leg.ok && isFailed(result.result.logs, stage.program)
        if (isRefused || (result.leg.ok && lossBps > plain.leg.taxBps + NOTICEABLE_BPS)) {
          harmful.push(toCondition(other, lossBps, result.leg.reason))
        } else if (result.leg.ok && other.by.length < MAX_DEPTH) waiting.push({ circumstance: other, sale: result })
      }
    }
  }
  if (effort.left <= 0) unread.add(TOO_MUCH)
  return { isExplained: unread.size === 0, unread: [...unread], decisions: met.size, harmful }
}

/** Also where a program that the hook asked failed first. */
const isFailed = (logs: readonly string[], program: SolanaAddress) =>
  logs.some((line) => line.startsWith(`Program ${program} failed: `))

const TOO_MUCH = 'it decides by more than could be played'
/** Rounding is less. */
const NOTICEABLE_BPS = 100

const toCondition = (
  { by, afterSeconds, amount, account }: Circumstance,
  lossBps: number,
  reason: string,
): HookCondition => ({
  by: by.find((each) => each === 'data') ?? by.at(-1) ?? 'data',
  afterSeconds,
  amount,
  account,
  lossBps,
  reason,
})

interface Sale {
  leg: LegFacts
  result: TransactionResult
  /** What went into the sale's two accounts before. */
  call: InnerCall | undefined
}

function sell(stage: HookStage, circumstance: Circumstance): Sale {
  const { fork, mint, vault, program } = stage
  const { seller, amount } = circumstance
  place(stage, circumstance)
  const before = amountIn(fork.account(vault.account)?.data) ?? 0n
  const result = fork.simulate(seller.owner, [transferOf(fork, mint, seller, vault, amount)])
  const received = (amountIn(result.after(vault.account)) ?? before) - before
  return { leg: measure(result, amount, received), result, call: result.inner.find((each) => each.program === program) }
}

function place(stage: HookStage, { seller, amount, set, afterSeconds, coins }: Circumstance): void {
  const { fork, mint } = stage
  if (seller === stage.trader) stage.buy()
  else stage.reset()
  give(fork, mint, coins === undefined ? seller : { ...seller, lamports: coins }, amount)
  for (const [address, account] of set) fork.set(address, account)
  fork.moveTo(afterSeconds)
}

/** The program's own way through a sale, on the accounts as the token program hands them over. */
function follow(
  stage: HookStage,
  { program, programs }: { program: SbfProgram; programs: ReadCode },
  circumstance: Circumstance,
  { leg, call }: Sale,
): { followed: Followed; call: InnerCall } {
  if (call === undefined) {
    const none = { instruction: 0, program: stage.program, data: new Uint8Array(), accounts: [], stackHeight: 2 }
    return { followed: { result: undefined, decisions: [], steps: 0, lostAt: 'it was not asked' }, call: none }
  }
  place(stage, circumstance)
  const { fork, mint, vault } = stage
  const { seller, amount } = circumstance
  const metas = transferOf(fork, mint, seller, vault, amount).accounts.slice(FIXED_ACCOUNTS)
  const asked = (address: SolanaAddress): SolanaAccount | undefined => {
    const account = fork.account(address)
    if (address === seller.account) return account && asInTransfer(account, -amount)
    return address === vault.account && account ? asInTransfer(account, leg.received) : account
  }
  const accounts = call.accounts.map((address) => ({
    address,
    account: asked(address),
    // The token program passes no signature on.
    isSigner: false,
    isWritable: metas.some((meta) => meta.address === address && meta.writable),
  }))
  const input = serialiseCall({ program: stage.program, accounts, data: call.data, clock: fork.clock, programs })
  return { followed: followProgram(program, input), call }
}

/** Source, mint, destination and owner, which a hook cannot write to. */
const FIXED_ACCOUNTS = 4

/** The same person sells four times: what a hook counts, it has counted by then. */
function repeatSales({ fork, mint, program, trader, vault, plain, buy }: HookStage): HookCondition[] {
  buy()
  const part = (amountIn(fork.account(trader.account)?.data) ?? 0n) / SALES
  if (part === 0n) return []
  for (let turn = 0n; turn < SALES; turn += 1n) {
    const result = fork.send(trader.owner, [transferOf(fork, mint, trader, vault, part)])
    const { reason } = measure(result, part, part)
    if (result.ok || turn === 0n || !reason.startsWith(program)) continue
    return [{ by: 'repetition', afterSeconds: 0, amount: plain, account: undefined, lossBps: FULL_BPS, reason }]
  }
  return []
}

const SALES = 4n
const FULL_BPS = 10_000

/** Programs that all tokens rest on. */
const USUAL: readonly SolanaAddress[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ATA_PROGRAM, MEMO_PROGRAM]

/** The code of programs that the hook asks; one that can be replaced may say otherwise tomorrow. */
function readAsked({ fork, program }: HookStage, own: SbfProgram, unread: Set<string>): ReadCode {
  const read = new Map<SolanaAddress, SbfProgram | undefined>([[program, own]])
  return (address) => {
    if (read.has(address)) return read.get(address)
    const account = fork.account(address)
    const codeAddress = account && programDataAddress(account)
    const upgrade = account && readUpgradeability(account, codeAddress && fork.account(codeAddress))
    if (upgrade?.kind !== 'immutable' && !USUAL.includes(address))
      unread.add(`it asks ${address}, which can be replaced`)
    const code = account?.executable ? readProgram(fork, address, unread) : undefined
    read.set(address, code)
    return code
  }
}

function readProgram(fork: Fork, address: SolanaAddress, unread: Set<string>): SbfProgram | undefined {
  const account = fork.account(address)
  const codeAddress = account && programDataAddress(account)
  const code = codeAddress ? fork.account(codeAddress)?.data.subarray(PROGRAM_DATA_HEADER_BYTES) : account?.data
  try {
    return readElf(code ?? new Uint8Array())
  } catch (error) {
    if (!(error instanceof SbfFormatError)) throw error
    unread.add(error.details ?? error.shortMessage)
    return undefined
  }
}
