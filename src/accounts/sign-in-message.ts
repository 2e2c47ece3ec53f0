/**
 * What a wallet signs to sign in: EIP-4361, or its Solana counterpart, which differs in the first
 * line and in the chain's name.
 */
export interface SignInMessage {
  ledger: 'Ethereum' | 'Solana'
  /** `http` or `https`, where the wallet names it. */
  scheme?: string
  /** Host, with the port unless it is the scheme's own. */
  domain: string
  address: string
  statement?: string
  uri: string
  /** A number for Ethereum; `mainnet` or `solana:mainnet` for Solana. */
  chainId: string
  nonce: string
  /** Milliseconds since 1970, as the next two. */
  issuedAt: number
  expirationTime?: number
  notBefore?: number
}

/** Writes the message out, as the wallet is to show and sign it. */
export function formatSignInMessage(message: SignInMessage): string {
  const { ledger, scheme, domain, address, statement, uri, chainId, nonce, issuedAt, expirationTime, notBefore } =
    message
  const lines = [
    `${scheme === undefined ? '' : `${scheme}://`}${domain} wants you to sign in with your ${ledger} account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    ...(statement === undefined && ledger === 'Solana' ? [] : ['']),
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    ...(expirationTime === undefined ? [] : [`Expiration Time: ${new Date(expirationTime).toISOString()}`]),
    ...(notBefore === undefined ? [] : [`Not Before: ${new Date(notBefore).toISOString()}`]),
  ]
  return lines.join('\n')
}

/**
 * Reads a message that a wallet signed, or `undefined` when it is not exactly of the form. Whatever
 * the form allows and we do not use (request id, resources) is read over. Every field stands where
 * the form has it, so that no line can pass for another.
 */
export function parseSignInMessage(text: string): SignInMessage | undefined {
  const fields = text.length <= MAX_MESSAGE_LENGTH ? FORM.exec(text)?.groups : undefined
  if (fields === undefined) return undefined
  const { scheme, statement, domain = '', address = '', uri = '', chainId = '', nonce = '' } = fields
  const issuedAt = parseTime(fields.issuedAt)
  const expirationTime = parseTime(fields.expirationTime)
  const notBefore = parseTime(fields.notBefore)
  const isComplete = fields.expirationTime === undefined || expirationTime !== undefined
  if (issuedAt === undefined || !isComplete || (fields.notBefore !== undefined && notBefore === undefined))
    return undefined
  return {
    ledger: fields.ledger === 'Solana' ? 'Solana' : 'Ethereum',
    ...(scheme !== undefined && { scheme }),
    domain,
    address,
    ...(statement !== undefined && { statement }),
    uri,
    chainId,
    nonce,
    issuedAt,
    ...(expirationTime !== undefined && { expirationTime }),
    ...(notBefore !== undefined && { notBefore }),
  }
}

/** Ours has 400 characters; a wallet may add a few. */
const MAX_MESSAGE_LENGTH = 2_000

/** RFC 3339, as both forms demand. */
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)'

/**
 * The grammar of EIP-4361. Solana's leaves out one of the empty lines when there is no statement.
 */
const FORM = new RegExp(
  [
    '^(?:(?<scheme>https?)://)?(?<domain>[^\\s/?#@]+) wants you to sign in with your (?<ledger>Ethereum|Solana) account:',
    '(?<address>[0-9A-Za-z]{32,44})',
    '(?:\n(?<statement>[^\\n]+)\n|\n)?',
    'URI: (?<uri>[^\\s]+)',
    'Version: 1',
    'Chain ID: (?<chainId>[0-9a-z:]{1,40})',
    'Nonce: (?<nonce>[0-9A-Za-z]{8,64})',
    `Issued At: (?<issuedAt>${TIME})`,
  ].join('\n') +
    `(?:\nExpiration Time: (?<expirationTime>${TIME}))?` +
    `(?:\nNot Before: (?<notBefore>${TIME}))?` +
    '(?:\nRequest ID: [^\\s]*)?' +
    '(?:\nResources:(?:\n- [^\\s]+)*)?$',
)

function parseTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
