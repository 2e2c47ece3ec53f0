import type { EffectKind, Holder, Power } from './power.js'
import { LONG_DELAY_SECONDS } from './powers-score.js'

const percent = (bps: number) => `${Math.round(bps / 10) / 10} %`

/**
 * `deed`: what the holder can do, after "can". `headline`: the same as a sentence of a few words.
 */
const EFFECTS: Record<EffectKind, { deed(power: Power): string; headline: string }> = {
  'blocks-account': {
    deed: () => 'bar single buyers from selling',
    headline: 'Single buyers can be barred from selling.',
  },
  'blocks-sells': { deed: ({ purchasesGoOn }) => REFUSALS[`${purchasesGoOn}`], headline: 'All sells can be stopped.' },
  'stops-trading': { deed: () => 'stop all trading', headline: 'All trading can be stopped.' },
  'raises-tax': {
    deed: ({ lossBps }) => `raise the sell tax to ${percent(lossBps)}`,
    headline: 'The sell tax can be raised.',
  },
  'lowers-limit': {
    deed: ({ lossBps }) => `limit sells to ${percent(10_000 - lossBps)} of what a buyer holds`,
    headline: 'The amount that can be sold can be cut.',
  },
  'burns-balance': {
    deed: ({ lossBps }) => `destroy ${percent(lossBps)} of a buyer's tokens`,
    headline: 'Tokens of buyers can be destroyed.',
  },
  'moves-balance': {
    deed: ({ lossBps }) => `take ${percent(lossBps)} of a buyer's tokens`,
    headline: 'Tokens of buyers can be taken.',
  },
  mints: {
    deed: ({ lossBps }) => `issue new tokens that are worth ${percent(lossBps)} of the pool`,
    headline: 'New tokens can be issued and sold into the pool.',
  },
  'mints-unseen': {
    deed: ({ lossBps }) => `issue new tokens in secret that are worth ${percent(lossBps)} of the pool`,
    headline: 'New tokens can be issued in secret.',
  },
  'takes-allowance': {
    deed: () => 'let itself spend the tokens of others without their consent',
    headline: 'Tokens of buyers can be spent without their consent.',
  },
  'blocks-transfers': {
    deed: () => 'stop transfers between wallets',
    headline: 'Transfers between wallets can be stopped.',
  },
  'raises-transfer-tax': {
    deed: ({ lossBps }) => `tax transfers between wallets at ${percent(lossBps)}`,
    headline: 'Transfers between wallets can be taxed.',
  },
  'replaces-code': { deed: () => "replace the token's whole code", headline: 'The whole code can be replaced.' },
  'pulls-liquidity': {
    deed: ({ lossBps }) => `take ${percent(lossBps)} of the pool's tokens`,
    headline: "The pool's tokens can be taken out.",
  },
  destroys: { deed: () => 'destroy the contract', headline: 'The contract can be destroyed.' },
  untried: {
    deed: () => 'call a privileged function that transfers depend on',
    headline: 'A privileged function could not be tried.',
  },
  none: { deed: () => 'call a privileged function', headline: 'A privileged function does no harm.' },
}

export function headlineOfPower({ effect, holder: { delaySeconds } }: Power): string {
  const { headline } = EFFECTS[effect]
  return delaySeconds < LONG_DELAY_SECONDS ? headline : headline.replace(/\.$/, `, with ${noticeOf(delaySeconds)}.`)
}

/** Whole days of 24 hours, rounded down: a promise to buyers. */
function noticeOf(delaySeconds: number): string {
  const days = Math.floor(delaySeconds / LONG_DELAY_SECONDS)
  return days === 1 ? "a day's notice" : `${days} days' notice`
}

/** Purchases go on where one was seen to. */
const REFUSALS = {
  true: 'stop all sells while purchases go on',
  false: 'stop all trading but its own',
  undefined: 'stop all sells',
}

/**
 * One sentence for a buyer: who can do what, and how it is known. Names no address and no function.
 */
export function explainPower(power: Power): string {
  const how =
    power.effect === 'untried'
      ? ', and it could not be found out what that does'
      : power.isShownBySetting
        ? ', as was shown by setting what it may write; the call itself could not be made'
        : power.proof
          ? ', as was shown on a copy of the chain'
          : ''
  const { kind, delaySeconds } = power.holder
  // A timelock's own delay is part of who it is.
  const isSlow = kind !== 'timelock' && delaySeconds >= LONG_DELAY_SECONDS
  const notice = isSlow ? ` with ${noticeOf(delaySeconds)}` : ''
  return `${whoIs(power.holder)} can ${EFFECTS[power.effect].deed(power)}${notice}${how}.`
}

function whoIs({ kind, threshold, owners, delaySeconds, isHidden, through }: Holder): string {
  const way = through === undefined ? '' : ' through another contract'
  const hidden = isHidden ? ', who is kept from sight,' : ''
  if (kind === 'anyone') return 'Anyone'
  if (kind === 'multisig') return `A multisig (${threshold} of ${owners} signatures)${way}${hidden}`
  if (kind === 'timelock')
    return `A timelock with a delay of ${Math.round(delaySeconds / 360) / 10} hours${way}${hidden}`
  if (kind === 'contract') return `A contract${way}${hidden}`
  if (kind === 'unknown') return `A privileged caller whose identity is not known${hidden}`
  if (kind === 'renounced' || kind === 'unset') return 'No one any more'
  return `One wallet${way}${hidden}`
}
