import { parseAbi } from 'viem'
import { encodeCall } from '../../dex/encode-call.js'
import type { Hex } from '../../hex.js'
import { argumentsIn, dataOf, renamedFrom, wordsOf } from './call-data.js'
import { type Act, SPARE_PLAYS } from './deposit-acts.js'
import { doAnd, type Taking } from './deposit-takers.js'
import { type Deposit, type Exit, entryOf, withdrawals } from './exits.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

const abi = parseAbi(['function multicall(bytes[] calls)'])

/**
 * One payment that a batch of calls credits twice: each of the contract's own calls sees the same
 * coins. Whether more comes out then than was paid, from what the depositor has left there.
 */
export function takeByBatch(stage: Stage, deposit: Deposit, exit: Exit): Taking | undefined {
  const { target, outsider, victim } = stage
  const way = entryOf(stage, exit)
  if (deposit.holding !== undefined || way === undefined) return undefined
  const own = renamedFrom(deposit.attempt.data, victim.address, outsider)
  const twice = argumentsIn(encodeCall({ abi, functionName: 'multicall', args: [[own, own]] }))
  for (const entry of stage.entries.filter(takesCalls)) {
    if (stage.left < SPARE_PLAYS) return undefined
    const data: Hex = `${entry.selector as Hex}${twice.slice(2)}`
    const attempt = { from: outsider, to: target, data, value: deposit.amount }
    const batch: Act = { entry, attempt, by: 'anyone', outcome: stage.play(attempt) }
    if (!batch.outcome.success) continue
    const taken = doAnd(stage, batch, () => takenBy(stage, deposit, way))
    if (taken !== undefined) return { acts: [batch, taken], noticeMs: 0, to: outsider }
  }
  return undefined
}

/** A withdrawal by which the one who batched has half of the depositor's coins as well. */
function takenBy(stage: Stage, deposit: Deposit, entry: EntryPoint): Act | undefined {
  const { target, outsider: from } = stage
  const doubled = { ...deposit, amount: 2n * deposit.amount }
  for (const values of withdrawals(stage, doubled, entry, from)) {
    const attempt = { from, to: target, data: dataOf(entry, values) }
    const outcome = stage.play(attempt)
    if (2n * (outcome.native.get(from) ?? 0n) > 3n * deposit.amount) return { entry, attempt, by: 'anyone', outcome }
  }
  return undefined
}

/** Whether its only argument is a list of bytes: of a list of one, the count and its place. */
function takesCalls({ selector, template }: EntryPoint): boolean {
  if (selector === undefined || template.leaves.filter(({ type }) => type === 'bytes').length !== 1) return false
  const empty = template.leaves.map(({ type }) => (type === 'bytes' ? '0x' : 0n))
  const [offset = 0n, ...others] = wordsOf(dataOf({ selector, template }, empty))
  const at = Number(offset) / WORD_BYTES - 1
  return others[at] === 1n && others[at + 1] === BigInt(WORD_BYTES)
}

const WORD_BYTES = 32
