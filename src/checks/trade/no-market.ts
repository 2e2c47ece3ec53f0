import type { FoundMarket } from './find-market.js'
import { nameUnknownVenues } from './unknown-venues.js'

const NO_LIQUIDITY = 'No liquidity: no pool of this token against the native coin was found'

/** Why a token could not be traded anywhere: a sentence, and a few words for it. */
export function explainNoMarket({
  unknownVenues,
  missingVenues,
}: Pick<FoundMarket, 'unknownVenues' | 'missingVenues'>): { sentence: string; inShort: string } {
  const found = missingVenues.find(({ hasPool }) => hasPool)
  if (found) {
    const { venue, address } = found
    const sentence = `Cannot be judged here: it has a pool on ${venue}, and there is no code at that exchange's address ${address}`
    return { sentence, inShort: 'the exchange has no code here' }
  }
  const unasked = missingVenues.map(
    ({ venue, address }) => `; ${venue} was not asked, as there is no code at ${address}`,
  )
  return { sentence: `${NO_LIQUIDITY}${nameUnknownVenues(unknownVenues)}${unasked.join('')}`, inShort: 'no liquidity' }
}
