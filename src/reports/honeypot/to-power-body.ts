import type { PowersReport } from '../../checks/powers/check-powers.js'
import type { Power, Proof, ProofStep, Scene } from '../../checks/powers/power.js'
import { rankPowers, scoreOfPower } from '../../checks/powers/powers-score.js'
import { signatureOf } from '../../checks/powers/signatures.js'
import { checksumAddress } from '../../checksum-address.js'
import { toPaddedHex } from '../../hex.js'
import { plainText } from '../../untrusted-text.js'
import type { PowerBody, SceneBody, StepBody } from './power-schema.js'

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

const toProof = ({ settings = [], steps, outcome }: Proof): NonNullable<PowerBody['proof']> => ({
  settings: settings.map(({ address, slot, value }) => {
    return { address: checksumAddress(address), slot: toPaddedHex(slot, 32), value: toPaddedHex(value, 32) }
  }),
  steps: steps.map(toStep),
  outcome: plainText(outcome, MAX_SENTENCES),
})

const toStep = ({ from, to, input, value = 0n, waitSeconds = 0 }: ProofStep): StepBody => ({
  ...{ from: checksumAddress(from), to: checksumAddress(to) },
  ...{ input, value: `${value}`, waitSeconds },
})

/** How much a sweep did, and what comes before the proofs, where there are any. */
export function toEffort({ effort, unfinished, omitted, scene, powers }: PowersReport) {
  const shown = toScene(scene, powers)
  return { ...effort, unfinished: unfinished ?? null, ...(shown && { scene: shown }), ...(omitted && { omitted }) }
}

function toScene(scene: Scene | undefined, powers: readonly Power[]): SceneBody | undefined {
  if (scene === undefined || powers.every(({ proof }) => proof === undefined)) return undefined
  return {
    code: scene.code.map(({ address, code }) => ({ address: checksumAddress(address), code })),
    steps: scene.steps.map(toStep),
    sale: toStep(scene.sale),
  }
}
