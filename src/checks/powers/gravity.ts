import { FULL_BPS } from '../../dex/tax.js'
import type { EffectKind } from './power.js'

/**
 * How far an effect reaches. `total`: takes what buyers have, or keeps it, while insiders go on.
 * `regulating`: what issuers of ordinary tokens keep for themselves, in the open and with a way
 * back: to stop all trade alike, to freeze single accounts, to issue more. `partial`: part of the
 * value stays with its owner. `untried`: no holder was found to act as. `nothing`: no harm was
 * seen.
 */
export type Reach = 'total' | 'regulating' | 'partial' | 'small' | 'untried' | 'nothing'

/** From here on a loss is as good as everything: half of the value is the end of trading. */
const TOTAL_LOSS_BPS = 5_000
/** Taxes and losses up to here are usual. */
const SMALL_LOSS_BPS = 1_000

const REACHES: Record<EffectKind, Reach | 'by-loss'> = {
  'blocks-sells': 'total',
  'takes-allowance': 'total',
  'replaces-code': 'total',
  destroys: 'total',
  'mints-unseen': 'by-loss',
  'burns-balance': 'by-loss',
  'moves-balance': 'by-loss',
  'pulls-liquidity': 'by-loss',
  'raises-tax': 'by-loss',
  'lowers-limit': 'by-loss',
  'stops-trading': 'regulating',
  'blocks-account': 'regulating',
  mints: 'regulating',
  'blocks-transfers': 'partial',
  'raises-transfer-tax': 'by-loss',
  none: 'nothing',
  untried: 'untried',
}

export function reachOf(kind: EffectKind, lossBps: number): Reach {
  const reach = REACHES[kind]
  if (reach === 'regulating' && lossBps < SMALL_LOSS_BPS) return 'small'
  if (reach !== 'by-loss') return reach
  return lossBps >= TOTAL_LOSS_BPS ? 'total' : lossBps > SMALL_LOSS_BPS ? 'partial' : 'small'
}

const ORDER: readonly Reach[] = ['nothing', 'untried', 'small', 'partial', 'regulating', 'total']

/** Orders effects by how bad they are, not by their holder. */
export const gravityOf = (kind: EffectKind, lossBps: number) =>
  ORDER.indexOf(reachOf(kind, lossBps)) * (FULL_BPS + 1) + lossBps
