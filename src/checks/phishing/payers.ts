import type { Hex } from '../../hex.js'
import { PULLS } from './assets.js'

/** Calls that take by a signature of the payer: EIP-3009 and Permit2. */
const SIGNED: Readonly<Record<string, number>> = {
  '0xe3ee160e': 0,
  '0xef55bec6': 0,
  '0xcf092995': 0,
  '0x88b7ab63': 0,
  '0x30f28b7a': 6,
  '0x137c29fe': 6,
  '0xedd9444b': 2,
  '0xfe8ec1a7': 2,
}

/**
 * Calls that take by other permissions: EIP-777 (operatorSend, operatorBurn), EIP-1363
 * (transferFromAndCall), burnFrom, EIP-4626 (withdraw, redeem), bridged tokens (sendFrom).
 */
const OTHERS: Readonly<Record<string, number>> = {
  '0x62ad1b83': 0,
  '0xfc673c4f': 0,
  '0xd8fbe994': 0,
  '0xc1d34b89': 0,
  '0x79cc6790': 0,
  '0xb460af94': 2,
  '0xba087652': 2,
  '0x51905636': 0,
}

/** By selector: where in a call that takes something the word of its owner stands. */
export const PAYERS: ReadonlyMap<Hex, number> = new Map(
  [
    ...Object.entries(PULLS).map(([selector, { from }]) => [selector, from] as const),
    ...Object.entries({ ...SIGNED, ...OTHERS }),
  ].map(([selector, at]) => [selector as Hex, at]),
)
