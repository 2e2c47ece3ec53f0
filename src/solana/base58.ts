const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const PLACE_OF = new Map([...ALPHABET].map((character, place) => [character, place]))
/** As many digits as fit into a number without loss. */
const CHUNK_DIGITS = 9
const CHUNK = 58n ** 9n

/** Bytes in base58 (the alphabet of Bitcoin): a leading zero byte is a `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = leading(bytes, (byte) => byte === 0)
  let rest = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (rest > 0n) {
    let chunk = Number(rest % CHUNK)
    rest /= CHUNK
    for (let i = 0; i < CHUNK_DIGITS && (rest > 0n || chunk > 0); i += 1) {
      text = (ALPHABET[chunk % 58] ?? '') + text
      chunk = Math.floor(chunk / 58)
    }
  }
  return '1'.repeat(zeros) + text
}

/** The bytes of a text in base58; `undefined` when it is none. */
export function decodeBase58(text: string): Uint8Array | undefined {
  let value = 0n
  for (let at = 0; at < text.length; at += CHUNK_DIGITS) {
    const part = text.slice(at, at + CHUNK_DIGITS)
    let chunk = 0
    for (const character of part) {
      const place = PLACE_OF.get(character)
      if (place === undefined) return undefined
      chunk = chunk * 58 + place
    }
    value = value * 58n ** BigInt(part.length) + BigInt(chunk)
  }
  const digits = value === 0n ? '' : value.toString(16)
  const body = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  const bytes = new Uint8Array(leading([...text], (character) => character === '1') + body.length)
  bytes.set(body, bytes.length - body.length)
  return bytes
}

function leading<Item>(items: ArrayLike<Item>, is: (item: Item) => boolean): number {
  let count = 0
  while (count < items.length && is(items[count] as Item)) count += 1
  return count
}
