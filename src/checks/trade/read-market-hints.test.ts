import { expect, test } from 'vitest'
import { type Hex, toPaddedHex } from '../../hex.js'
import { partiesOf } from './read-market-hints.js'

const TOKEN = '0x00000000000000000000000000000000000000aa'
const POOL = '0x00000000000000000000000000000000000000bb'
const TRADER = '0x00000000000000000000000000000000000000cc'
const word = (address: string): Hex => toPaddedHex(BigInt(address), 32)
const transfer = (from: string, to: string) => ({ topics: [word('0x1'), word(from), word(to)] })

test('the address in most transfers comes first; the token itself and the zero address are no parties', () => {
  const logs = [
    transfer(POOL, TRADER),
    transfer('0x0', POOL),
    transfer(TOKEN, POOL),
    { topics: [word('0x1')] },
    { topics: [] },
  ]
  expect(partiesOf(logs, TOKEN)).toEqual([POOL, TRADER])
})
