import type { EffectKind, Holder, Power } from './power.js'

const percent = (bps: number) => `${bps / 100} %`

const EFFECTS: Record<EffectKind, (power: Power) => string> = {
  'blocks-account': () => 'refuse the sells of single buyers',
  'blocks-sells': () => 'refuse all sells while purchases go on',
  'stops-trading': () => 'stop all trading',
  'raises-tax': ({ lossBps }) => `raise the sell tax to ${percent(lossBps)}`,
  'lowers-limit': ({ lossBps }) => `limit sells to ${percent(10_000 - lossBps)} of what a buyer holds`,
  'burns-balance': ({ lossBps }) => `destroy ${percent(lossBps)} of a buyer's tokens`,
  'moves-balance': ({ lossBps }) => `take ${percent(lossBps)} of a buyer's tokens`,
  mints: ({ lossBps }) => `issue tokens that are worth ${percent(lossBps)} of the pool`,
  'mints-unseen': ({ lossBps }) => `issue tokens that nobody counts, worth ${percent(lossBps)} of the pool,`,
  'takes-allowance': () => 'grant allowances over tokens of others',
  'blocks-transfers': () => 'stop transfers between wallets',
  'raises-transfer-tax': ({ lossBps }) => `tax transfers between wallets with ${percent(lossBps)}`,
  'replaces-code': () => "exchange the token's whole code",
  'pulls-liquidity': ({ lossBps }) => `take ${percent(lossBps)} of the pool's tokens`,
  destroys: () => 'destroy the contract',
  untried: () => 'call a function that touches what transfers depend on',
  none: () => 'call a function that could not be shown to do harm',
}

/** One sentence: who can do what, with which call, and how it is known. */
export function explainPower(power: Power): string {
  const calls = power.proof?.steps.length ?? 0
  const how =
    calls > 1 ? `with ${calls} calls, the last of them ${power.selector}` : `with one call (${power.selector})`
  const shown = calls > 0 ? `, as was tried on a copy of the chain: ${power.worstCase}` : `: ${power.worstCase}`
  return `${whoIs(power.holder)} can ${EFFECTS[power.effect](power)} ${how}${shown}.`
}

function whoIs({ kind, address, threshold, owners, delaySeconds, isHidden, through }: Holder): string {
  const name = address === undefined ? '' : ` ${address}`
  const way = through === undefined ? '' : ` through the contract ${through}`
  const hidden = isHidden ? ', which is kept from sight,' : ''
  if (kind === 'anyone') return 'Anybody'
  if (kind === 'multisig') return `A multisig${name} (${threshold} of ${owners} signatures)${way}${hidden}`
  if (kind === 'timelock') return `A timelock${name} with a delay of ${delaySeconds / 3_600} hours${way}${hidden}`
  if (kind === 'contract') return `A contract${name}${way}${hidden}`
  if (kind === 'unknown') return `Whoever passes a check that names nobody in the open${hidden}`
  if (kind === 'renounced' || kind === 'unset') return 'Nobody'
  return `One person's account${name}${way}${hidden}`
}
