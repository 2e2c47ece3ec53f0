import type { SolanaAddress } from '../../../solana/address.js'
import type { Instruction } from '../../../solana/instruction.js'
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAMS } from '../../../solana/programs.js'
import type { Fork } from '../../../solana/svm/fork.js'
import type { Mint } from '../../../solana/token/mint.js'
import type { TransactionResult } from '../../../solana/transaction-result.js'
import { delegateOf } from './authority-powers.js'
import type { CallFacts, TraceFacts } from './play-facts.js'
import { type Actor, type Holding, transferOf } from './play-stage.js'

/**
 * What a plain purchase and sale look like inside: calls, logs, and what they left on the trader's
 * account.
 */
export function traceTrade(
  fork: Fork,
  mint: Mint,
  { trader, vault, amount }: { trader: Actor; vault: Holding; amount: bigint },
): TraceFacts {
  const steps = [transferOf(fork, mint, vault, trader, amount), transferOf(fork, mint, trader, vault, amount)]
  const results = steps.map((step) => ({ step, result: fork.simulate(trader.owner, [step]) }))
  const last = results[1]?.result
  return {
    ...traceOf(results, trader.owner),
    units: results.reduce((sum, { result }) => sum + result.units, 0n),
    moved: results.flatMap(({ step, result }) => movedBy(fork, step, result)),
    delegate: delegateOf(trader.account, last?.after(trader.account), mint.tokenProgram),
  }
}

function movedBy(fork: Fork, { accounts }: Instruction, result: TransactionResult): SolanaAddress[] {
  return accounts.flatMap(({ address, writable }) => {
    const [before, after] = [fork.account(address), writable ? result.after(address) : undefined]
    if (before === undefined || after === undefined || TOKEN_PROGRAMS.includes(before.owner)) return []
    return Buffer.compare(before.data, after) === 0 ? [] : [address]
  })
}

/** What transactions called and logged, within bounds. */
export function traceOf(
  results: readonly { step: Instruction; result: Pick<TransactionResult, 'ok' | 'inner' | 'logs'> }[],
  payer: SolanaAddress,
): Pick<TraceFacts, 'calls' | 'logs' | 'isTruncated'> {
  const calls = results.flatMap(({ step, result }) => callsOf(step, result, payer))
  const logs = results.flatMap(({ result }) => eventsOf(result.logs))
  return {
    calls: calls.slice(0, MAX_CALLS),
    logs: logs.slice(0, MAX_LOGS),
    isTruncated:
      calls.length > MAX_CALLS ||
      logs.length > MAX_LOGS ||
      [...calls, ...logs].some(({ dataBytes }) => dataBytes !== undefined) ||
      results.some(({ result }) => result.logs.some(isCutByRuntime)),
  }
}

/** Two transactions with as many calls as the runtime allows. */
const MAX_CALLS = 128
const MAX_LOGS = 64
const MAX_DATA_BYTES = 4_096

/** The beginning of long data, and how long it was. */
const cutData = (data: Uint8Array): { data: Uint8Array; dataBytes?: number } =>
  data.length > MAX_DATA_BYTES ? { data: data.slice(0, MAX_DATA_BYTES), dataBytes: data.length } : { data }

/** The runtime keeps 10 kB of what a transaction logs, and then says so. */
const isCutByRuntime = (line: string) => line === 'Log truncated'

function callsOf(
  { program, data }: Instruction,
  result: Pick<TransactionResult, 'ok' | 'inner' | 'logs'>,
  payer: SolanaAddress,
): CallFacts[] {
  const units = unitsOf(result.logs)
  const measured = (place: number) => units[place] ?? { allowed: 0n, used: 0n }
  const calls: CallFacts[] = [{ depth: 1, from: payer, program, data, failed: !result.ok, ...measured(0) }]
  for (const [i, inner] of result.inner.entries()) {
    const caller = calls.findLast(({ depth }) => depth === inner.stackHeight - 1)
    const from = caller?.program ?? program
    const place = { depth: inner.stackHeight, from, program: inner.program }
    calls.push({ ...place, ...cutData(inner.data), failed: false, ...measured(i + 1) })
  }
  return calls
}

/**
 * What each call was allowed and used, in the order in which programs were entered. Built-in
 * programs do not say.
 */
function unitsOf(lines: readonly string[]): { allowed: bigint; used: bigint }[] {
  const entered: { allowed: bigint; used: bigint }[] = []
  const running: { allowed: bigint; used: bigint }[] = []
  for (const line of lines) {
    const [, program] = /^Program (\w{32,44}) invoke \[\d+\]$/.exec(line) ?? []
    const [, used, allowed] = /^Program \w{32,44} consumed (\d{1,9}) of (\d{1,9}) compute units$/.exec(line) ?? []
    const current = running.at(-1)
    if (program !== undefined) {
      const units = { allowed: 0n, used: 0n }
      running.push(units)
      if (program !== COMPUTE_BUDGET_PROGRAM) entered.push(units)
    } else if (used !== undefined && allowed !== undefined && current !== undefined) {
      current.used = BigInt(used)
      current.allowed = BigInt(allowed)
    } else if (/^Program \w{32,44} (?:success|failed)/.test(line)) running.pop()
  }
  return entered
}

/** Data that programs log (`Program data: <base64>`), with the program that was running. */
function eventsOf(lines: readonly string[]): TraceFacts['logs'] {
  const running: SolanaAddress[] = []
  const logs: TraceFacts['logs'] = []
  for (const line of lines) {
    const [, entered] = /^Program (\w{32,44}) invoke \[\d+\]$/.exec(line) ?? []
    const [, left] = /^Program (\w{32,44}) (?:success|failed)/.exec(line) ?? []
    const [, data] = /^Program data: ([\w+/=]+)/.exec(line) ?? []
    if (entered !== undefined) running.push(entered as SolanaAddress)
    if (left !== undefined) running.pop()
    const program = running.at(-1)
    if (data !== undefined && program !== undefined) {
      logs.push({ program, ...cutData(new Uint8Array(Buffer.from(data, 'base64'))) })
    }
  }
  return logs
}
