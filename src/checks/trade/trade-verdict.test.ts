import { describe, expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import { nothingHappened, type RoundTripFacts } from './round-trip-facts.js'
import type { StepReport } from './trade-report.js'
import { judgeRoundTrip } from './trade-verdict.js'

const step = (name: StepReport['name'], errorReason = ''): StepReport => ({
  name,
  branch: name.startsWith('sell-') || name === 'transfer' ? 'side' : 'main',
  success: errorReason === '',
  gasUsed: 50_000n,
  errorReason,
  waitedSeconds: 0,
})

const token = (steps: StepReport[], rest: Partial<RoundTripFacts> = {}): RoundTripFacts => ({
  ...nothingHappened('token', ethereum),
  venue: { name: 'Uniswap V2', pool: '0x0000000000000000000000000000000000000001' },
  steps,
  buyTaxBps: 0,
  sellTaxBps: 0,
  ...rest,
})

const complete = [step('buy'), step('approve'), step('sell')]
const NO = 'reverted in the token: no'

describe('judgeRoundTrip', () => {
  test.each<[string, RoundTripFacts, Partial<ReturnType<typeof judgeRoundTrip>>]>([
    [
      'a complete trade is fine',
      token(complete),
      { success: true, isHoneypot: false, errorReason: '', inconclusive: undefined },
    ],
    [
      'a moderate tax is no trap',
      token(complete, { buyTaxBps: 500, sellTaxBps: 800 }),
      { success: true, isHoneypot: false },
    ],
    ['a sell tax that takes half is one', token(complete, { sellTaxBps: 5_000 }), { success: true, isHoneypot: true }],
    ['so is such a buy tax', token(complete, { buyTaxBps: 9_900 }), { success: true, isHoneypot: true }],
    [
      'a tax that could not be measured is not known to be low',
      token(complete, { buyTaxBps: undefined, sellTaxBps: 0 }),
      { success: true, isHoneypot: false, inconclusive: 'the tax could not be measured' },
    ],
    [
      'an amount for which the pool pays nothing proves nothing',
      token([], { leastAmount: 12_345n }),
      { success: false, isHoneypot: false, inconclusive: 'the amount is too small' },
    ],
    [
      'nor does an exchange without code',
      token([], {
        venue: undefined,
        missingVenues: [{ venue: 'Uniswap V2', address: '0x00000000000000000000000000000000000000cc', hasPool: true }],
      }),
      { success: false, isHoneypot: false, inconclusive: 'the exchange has no code here' },
    ],
    [
      'a sell that never works is a trap, with its reason',
      token([step('buy'), step('approve'), step('sell', NO), step('sell-half', NO), step('sell-tenth', NO)]),
      { success: false, isHoneypot: true, errorReason: 'Sell reverted in the token: no', inconclusive: undefined },
    ],
    [
      'a sell that works in parts is a limit, not a trap',
      token([step('buy'), step('approve'), step('sell', NO), step('sell-half', NO), step('sell-tenth')], {
        wayOut: 'in-parts',
      }),
      {
        success: false,
        isHoneypot: false,
        errorReason: 'Sell of everything reverted in the token: no; sell-tenth works',
      },
    ],
    [
      'a sell that works for a part and no further is a trap',
      token([step('buy'), step('approve'), step('sell', NO), step('sell-half', NO), step('sell-tenth')]),
      { success: false, isHoneypot: true },
    ],
    [
      'a router that is refused leaves other ways',
      token([step('buy'), step('approve'), step('sell', NO), step('sell-half', NO)], { wayOut: 'other-router' }),
      { success: false, isHoneypot: false, errorReason: `Sell ${NO}; through another router it works` },
    ],
    [
      'an approve that reverts traps the tokens',
      token([step('buy'), step('approve', NO)]),
      { success: false, isHoneypot: true },
    ],
    [
      'a buy that delivers nothing is a trap',
      token([step('buy')]),
      { isHoneypot: true, errorReason: 'Buy delivered no tokens' },
    ],
    [
      'a buy that reverts proves nothing about selling',
      token([step('buy', NO)]),
      { success: false, isHoneypot: false, inconclusive: 'the token cannot be bought now' },
    ],
    [
      'no pool is no honeypot',
      token([], { venue: undefined }),
      { success: false, isHoneypot: false, inconclusive: 'no liquidity' },
    ],
    [
      'an account has nothing to simulate',
      nothingHappened('account', ethereum),
      { success: false, isHoneypot: false, inconclusive: 'no code' },
    ],
    [
      'a contract that takes a gift is fine',
      { ...nothingHappened('contract', ethereum), steps: [step('send-native')] },
      { success: true, isHoneypot: false, errorReason: '' },
    ],
    [
      'a contract that refuses a gift says why',
      { ...nothingHappened('contract', ethereum), steps: [step('send-native', NO)] },
      { success: false, isHoneypot: false, errorReason: `Sending native coin ${NO}` },
    ],
  ])('%s', (_, facts, expected) => {
    expect(judgeRoundTrip(facts)).toMatchObject(expected)
  })
})
