import { expect, test } from 'vitest'
import { toPaddedHex } from '../../hex.js'
import type { RiskFlag } from '../bytecode/bytecode-report.js'
import type { FailedTrade } from './honeypot-facts.js'
import { nameSetters } from './name-setters.js'

const OWNER = '0x00000000000000000000000000000000000000aa'
const TOKEN = '0x00000000000000000000000000000000000000bb'

const failure = (place: Pick<FailedTrade, 'slot' | 'mapping'>): FailedTrade => ({
  window: 'Immediate',
  trade: 'sell',
  address: TOKEN,
  selector: '0x23b872dd',
  pc: 7,
  value: 1n,
  reason: 'it is set',
  ...place,
})

const report = (id: string, slot: bigint, holder: string): { riskFlags: RiskFlag[] } => ({
  riskFlags: [
    {
      id,
      severity: 'medium',
      threatLevel: 'MEDIUM',
      title: '',
      description: '',
      confidence: 'high',
      evidence: [{ address: TOKEN, slot: toPaddedHex(slot, 32), holder }],
    },
  ],
})

test('names who may write the slot that decided', () => {
  const [named] = nameSetters([failure({ slot: 7n, mapping: undefined })], report('trading-switch', 7n, OWNER))
  expect(named).toMatchObject({ setBy: OWNER, reason: `it is set; slot 7 is set by ${OWNER}` })
})

test('knows the entry of a mapping by where the mapping stands', () => {
  const [named] = nameSetters([failure({ slot: 2n ** 200n, mapping: 9n })], report('blacklist', 9n, OWNER))
  expect(named).toMatchObject({ setBy: OWNER, reason: `it is set; mapping 9 is set by ${OWNER}` })
})

test.each([
  ['the slot is another one', report('trading-switch', 8n, OWNER)],
  ['the evidence tells where the power stands, not what it writes', report('hidden-mint', 7n, OWNER)],
  ['no address is known', report('trading-switch', 7n, 'a stored address')],
  ['the code was not analysed', undefined],
])('names no address where %s', (_, known) => {
  const [named] = nameSetters([failure({ slot: 7n, mapping: undefined })], known)
  expect(named).toMatchObject({ setBy: undefined, reason: 'it is set' })
})
