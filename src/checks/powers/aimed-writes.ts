import type { AbiParameter } from 'viem'
import type { FunctionFacts } from '../../bytecode/facts.js'
import { writesByArgument } from '../../bytecode/open-slots.js'
import { type Term, walkTerm } from '../../bytecode/terms.js'
import { callData } from '../../dex/read-contract.js'
import { BALANCE_OF, wordsOf } from './ledger.js'
import type { Choice } from './power.js'
import type { Stage } from './stage.js'

/** Arguments of one function that name slots, and words of the balance that are aimed at. */
const MAX_NAMING = 2
const MAX_WORDS = 3
const WORD = 1n << 256n

/** An argument that names a slot, or the first element of it does, so far from it. */
interface Naming {
  index: number
  distance: bigint
}

/**
 * Calls that write nothing into the words of the buyer's balance, where a function of the token
 * writes slots that its caller names: what may write any word takes from each holder.
 */
export function aimedChoices(stage: Stage, fn: FunctionFacts, parameters: readonly AbiParameter[]): Choice[] {
  const naming = writesByArgument(fn).flatMap(({ key }) => readNaming(key) ?? [])
  const known = new Map(naming.map((each) => [`${each.index} ${each.distance}`, each]))
  const aims = [...known.values()].filter(({ index }) => index < parameters.length).slice(0, MAX_NAMING)
  if (aims.length === 0) return []
  const { fork, token, buyer } = stage
  const words = wordsOf(fork, token, callData(BALANCE_OF, [buyer.context.trader.address])).slice(0, MAX_WORDS)
  return aims.flatMap(({ index, distance }) =>
    words.map(
      ([slot]): Choice => ({
        ...{ address: 'buyer', others: 'holder', number: 0n, flag: true },
        fixed: [[index, (slot - distance + WORD) % WORD]],
      }),
    ),
  )
}

function readNaming(key: Term): Naming | undefined {
  const [a, b] = key.args
  if (key.op === 'ADD' && a !== undefined && b?.op === 'const') {
    const naming = readNaming(a)
    return naming && { ...naming, distance: naming.distance + b.value }
  }
  if (key.op !== 'calldata' && key.op !== 'element') return undefined
  let head: bigint | undefined
  walkTerm(key, ({ op, value }) => {
    if (op === 'calldata') head ??= value
    return head === undefined
  })
  return head === undefined || head < 4n ? undefined : { index: Number((head - 4n) / 32n), distance: 0n }
}
