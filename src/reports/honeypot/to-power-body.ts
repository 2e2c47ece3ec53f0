import type { Power } from '../../checks/powers/power.js'
import { rankPowers, scoreOfPower } from '../../checks/powers/powers-score.js'
import { signatureOf } from '../../checks/powers/signatures.js'
import { checksumAddress } from '../../checksum-address.js'
import { plainText } from '../../untrusted-text.js'
import type { PowerBody } from './power-schema.js'

/** Sentences repeat what contracts say, each part cut for itself. */
export const MAX_SENTENCES = 1_200
/** The rest are repetitions of these. */
const MAX_POWERS = 48

/** The worst first, in the words and units of the answer. */
export const toPowers = (powers: readonly Power[]): PowerBody[] => rankPowers(powers).slice(0, MAX_POWERS).map(toPower)

function toPower(power: Power): PowerBody {
  const { contract, selector, argumentTypes, holder, effect, proof, isBounded, tried } = power
  const { kind, address, through, threshold, owners, isHidden, delaySeconds } = holder
  return {
    contract: checksumAddress(contract),
    selector,
    signature: signatureOf(selector) ?? null,
    argumentTypes,
    holder: {
      kind,
      address: address === undefined ? null : checksumAddress(address),
      through: through === undefined ? null : checksumAddress(through),
      threshold: threshold ?? null,
      owners: owners ?? null,
      isHidden,
    },
    effect,
    // Two decimals of percent.
    loss: Math.round(power.lossBps) / 100,
    worstCase: plainText(power.worstCase, MAX_SENTENCES),
    isBounded,
    isReversible: power.isReversible ?? null,
    delaySeconds,
    riskScore: scoreOfPower(power),
    tried,
    isShownBySetting: power.isShownBySetting === true,
    proof: proof ? toProof(proof) : null,
  }
}

const toProof = ({ steps, outcome }: NonNullable<Power['proof']>): NonNullable<PowerBody['proof']> => ({
  steps: steps.map(({ from, to, input, value = 0n, waitSeconds = 0 }) => {
    return { from: checksumAddress(from), to: checksumAddress(to), input, value: `${value}`, waitSeconds }
  }),
  outcome: plainText(outcome, MAX_SENTENCES),
})
