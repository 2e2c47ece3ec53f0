/**
 * A token may claim any number of decimals; 2^256 has 78 digits, so that more than 77 cannot be
 * meant.
 */
const MAX_DECIMALS = 77

/** Of the native coin of every chain that has an EVM. */
export const COIN_DECIMALS = 18

/** Whether an amount can be said in whole tokens. */
export const hasUnits = (decimals: number | undefined): decimals is number =>
  decimals !== undefined && decimals <= MAX_DECIMALS

/** Base units in whole ones: exact, without trailing zeros. */
export function toDecimal(value: bigint, decimals: number | undefined): string {
  return hasUnits(decimals) && decimals > 0 ? pointAt(value, decimals) : String(value)
}

function pointAt(value: bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`)
}

/** Digits of a price that say something; reserves are not known better. */
const PRICE_DIGITS = 12

/**
 * How much of one thing a whole unit of another is worth, where so many base units of both stand
 * against each other. `undefined` where that is no number.
 */
export function toPrice(
  paid: { amount: bigint; decimals: number },
  bought: { amount: bigint; decimals: number },
): string | undefined {
  if (bought.amount <= 0n || paid.amount <= 0n) return undefined
  // Room for the smallest price of the largest supply.
  const scaled = (paid.amount * 10n ** BigInt(bought.decimals + SCALE)) / bought.amount
  const surplus = Math.max(0, String(scaled).length - PRICE_DIGITS)
  const rounded = (scaled / 10n ** BigInt(surplus)) * 10n ** BigInt(surplus)
  return rounded === 0n ? undefined : pointAt(rounded, SCALE + paid.decimals)
}

/** Digits behind the point before the coin's own. */
const SCALE = 80
