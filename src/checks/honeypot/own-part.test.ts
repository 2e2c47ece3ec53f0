import { describe, expect, test } from 'vitest'
import type { Term } from '../../evm/inspectors/term.js'
import type { Trade } from './motions.js'
import { leaveOwnPart } from './own-part.js'

const TOKEN = '0x00000000000000000000000000000000000000aa'
const SLOT = 8n
const TRADER = '0x00000000000000000000000000000000000000bb'

const moves = (step: bigint): Trade => ({
  storage: {
    ...{ reads: new Map(), isTruncated: false },
    writes: new Map([[TOKEN, new Map([[SLOT, { before: 10_000n, after: 10_000n + step }]])]]),
  },
  ...{ stores: [], timestamp: 1_800_000_000n, number: 100_000n },
})

const ASKED: Term = { kind: 'slot', address: TOKEN, slot: SLOT, value: 10_000n, entry: undefined }

/** What trades, each of which takes so much, leave of the word. */
function leastLeft({ bought, sold, own }: { bought: [bigint, bigint]; sold: bigint; own: bigint }): bigint | undefined {
  const leave = leaveOwnPart({
    purchases: bought.map(moves),
    ...{
      sale: moves(-sold),
      buyer: { held: 200n },
      seller: { held: 210n },
      sellOwn: () => ({ trade: moves(-own), amount: 1_000n }),
    },
    ...{ trader: TRADER, isBalance: () => false, supply: 1_000_000n },
  })
  return leave({ address: TOKEN, slot: SLOT, after: () => 0n, isKnown: false }, [moves(-sold)]).least?.(ASKED)
}

describe('what trades of others leave of a word', () => {
  const holdings = { bought: [210n, 200n] as [bigint, bigint], sold: 210n, own: 1_000n }
  test.each<[string, Parameters<typeof leastLeft>[0], bigint | undefined]>([
    ['a sum of holdings keeps the own part', holdings, 1_001n],
    ['a sum that loses a little to fees does', { ...holdings, sold: 213n }, 1_001n],
    ['a budget that sales use up does not', { ...holdings, bought: [105n, 100n] }, undefined],
    ['what purchases leave alone does not', { ...holdings, bought: [0n, 0n] }, undefined],
    ['what the own sale leaves alone does not', { ...holdings, own: 0n }, undefined],
    ['a count of holders keeps one', { bought: [1n, 1n], sold: 1n, own: 1n }, 1n],
    ['a count from which sales take two does not', { bought: [1n, 1n], sold: 2n, own: 2n }, undefined],
  ])('%s', (_, traded, left) => {
    expect(leastLeft(traded)).toBe(left)
  })
})
