import { explainNoMarket } from './no-market.js'
import type { RoundTripFacts } from './round-trip-facts.js'
import { sayTooLittle } from './suitable-amount.js'
import type { StepReport, TradeReport } from './trade-report.js'

type Verdict = Pick<TradeReport, 'success' | 'isHoneypot' | 'errorReason' | 'inconclusive'>

/** A trade that takes half of what is put in is no trade. Basis points of one leg. */
export const HONEYPOT_TAX_BPS = 5_000

/**
 * What the round trip proves. A row is tried only if no row above it fits. What could not be tried
 * proves nothing, in either direction.
 */
export function judgeRoundTrip(facts: RoundTripFacts): Verdict {
  const { kind, venue, buyTaxBps = 0, sellTaxBps = 0 } = facts
  if (kind === 'account')
    return failed('The address has no code: there is nothing to simulate', { inconclusive: 'no code' })
  if (kind === 'contract') return judgeGift(stepOf(facts, 'send-native'))
  if (!venue) {
    const { sentence, inShort } = explainNoMarket(facts)
    return failed(sentence, { inconclusive: inShort })
  }

  if (facts.leastAmount !== undefined)
    return failed(sayTooLittle(facts.leastAmount), { inconclusive: 'the amount is too small' })

  const bought = stepOf(facts, 'buy')
  if (!bought?.success)
    return failed(`Buy ${bought?.errorReason ?? 'was not possible'}`, {
      inconclusive: 'the token cannot be bought now',
    })
  const approved = stepOf(facts, 'approve')
  if (approved?.success === false) return trapped(`Approve ${approved.errorReason}`)

  const sold = stepOf(facts, 'sell')
  if (!sold) return trapped('Buy delivered no tokens')
  const partSold = facts.steps.find(({ name, success }) => name.startsWith('sell-') && success)
  if (!sold.success && facts.wayOut === 'in-parts')
    return failed(`Sell of everything ${sold.errorReason}; ${partSold?.name ?? 'a part'} works`, {})
  if (!sold.success && facts.wayOut === 'other-router')
    return failed(`Sell ${sold.errorReason}; through another router it works`, {})
  if (!sold.success) return trapped(`Sell ${sold.errorReason}`)
  const isHoneypot = Math.max(buyTaxBps, sellTaxBps) >= HONEYPOT_TAX_BPS
  // A trade that worked at an unknown cost is no proof of a low tax.
  const isMeasured = facts.buyTaxBps !== undefined && facts.sellTaxBps !== undefined
  const inconclusive = isMeasured || isHoneypot ? undefined : 'the tax could not be measured'
  return { success: true, errorReason: '', inconclusive, isHoneypot }
}

const stepOf = ({ steps }: RoundTripFacts, name: StepReport['name']) => steps.find((step) => step.name === name)

function judgeGift(gift: StepReport | undefined): Verdict {
  if (gift?.success) return { success: true, errorReason: '', isHoneypot: false, inconclusive: 'not a token' }
  return failed(`Sending native coin ${gift?.errorReason ?? 'was not possible'}`, { inconclusive: 'not a token' })
}

function failed(errorReason: string, { inconclusive }: { inconclusive?: string }): Verdict {
  return { success: false, errorReason, isHoneypot: false, inconclusive }
}

function trapped(errorReason: string): Verdict {
  return { success: false, errorReason, isHoneypot: true, inconclusive: undefined }
}
