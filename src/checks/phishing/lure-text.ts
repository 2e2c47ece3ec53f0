import { decodeText } from '../../dex/token-metadata.js'
import type { Address, Hex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'

/** `name()` and `symbol()` */
const TEXTS: readonly Hex[] = ['0x06fdde03', '0x95d89b41']
/** An address to visit. A name that is a domain (yearn.finance) is a name. */
const LINK = /https?:\/\/|www\.|\bt\.me\/|\bdiscord\.gg\//i
/** A domain together with what to do there. */
const CALL_TO_ACTION = /\b(claim|visit|reward|airdrop|bonus|redeem|voucher)\w*\b/i
const DOMAIN = /[a-z0-9-]+\.(com|net|org|io|xyz|app|site|gift|claims?|finance|cc|co|me|pro|top|vip|live|events?)\b/i
/**
 * Characters that hide text or change its direction (Unicode's "format" class), but not what joins
 * emoji.
 */
const HIDDEN = /(?![\u200c\u200d])\p{Cf}/u

/**
 * What the target calls itself, if that is an advertisement or hides something. Says nothing about
 * what the code does.
 */
export function findLureText({ evm }: Fork, target: Address): string | undefined {
  for (const data of TEXTS) {
    const { status, output } = evm.read({ to: target, data })
    const text = status === 'success' ? decodeText(output) : ''
    if (isLure(text)) return text
  }
  return undefined
}

export function isLure(text: string): boolean {
  return LINK.test(text) || (DOMAIN.test(text) && CALL_TO_ACTION.test(text)) || HIDDEN.test(text)
}
