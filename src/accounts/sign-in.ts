import { createHash, randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import type { Chain } from '../chains/chain.js'
import { findChain } from '../chains/index.js'
import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { Address } from '../hex.js'
import { RpcUnavailableError } from '../rpc/rpc-client.js'
import type { AccountStore } from './account-store.js'
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './sign-in-message.js'
import { type NonceTerms, readNonce, signNonce } from './signed-nonce.js'
import { type CallNode, verifySignature } from './verify-signature.js'
import type { Wallet } from './wallet.js'

export interface SignInOptions {
  store: AccountStore
  clock: Clock
  /**
   * Where the service is seen, exactly: a message for any other place is refused. The first is the
   * preferred one.
   */
  origins: readonly string[]
  /** Those that a message may name; by default the ones that we know. */
  chains?: readonly Chain[]
  callNode: CallNode
}

export interface SignInOffer {
  nonce: string
  domain: string
  uri: string
  statement: string
  version: '1'
  /** Milliseconds since 1970. */
  issuedAt: number
  expirationTime: number
  /** The text to sign, when the wallet's address was given. */
  message: string | undefined
}

export interface SignInRequest {
  /** The host that the client asked; decides for which of the origins the nonce is. */
  host: string | undefined
  /** A number of a supported chain, or `SOL`; the message must then name it. */
  chain: string | undefined
  address: string | undefined
}

export interface Session {
  /** What the cookie holds. Stored only as a hash. */
  token: string
  wallet: Wallet
  expiresAt: number
}

export interface SignIn {
  /**
   * A nonce for one sign-in; nothing is stored. Rejects with `SignInError` when the chain or the
   * address is none.
   */
  begin(request: SignInRequest): Promise<SignInOffer>
  /** Opens a session for a signed message, and uses its nonce up. Rejects with `SignInError`. */
  finish(signed: { message: string; signature: string }): Promise<Session>
  /** The wallet whose session it is and which is not over. */
  findWallet(token: string): Promise<Wallet | undefined>
  end(token: string): Promise<void>
}

/**
 * Wallets sign in by signing a message (EIP-4361) with a nonce of ours; what they get is a session.
 */
export function createSignIn({ store, clock, origins, chains, callNode }: SignInOptions): SignIn {
  let known: Buffer | undefined
  const readSecret = async () => {
    known ??= await store.sharedSecret(SECRET_NAME)
    return known
  }
  return {
    async begin({ host, chain, address }) {
      if (chain !== undefined && !isSupported(chain, chains)) throw new SignInError('chain')
      const origin = origins.find((each) => new URL(each).host === host?.toLowerCase()) ?? origins[0] ?? ''
      const issuedAt = clock.now()
      const terms: NonceTerms = { origin, chain, issuedAt, expiresAt: issuedAt + NONCE_MS }
      const nonce = signNonce(await readSecret(), terms)
      return {
        nonce,
        domain: new URL(origin).host,
        uri: origin,
        statement: STATEMENT,
        version: '1',
        issuedAt,
        expirationTime: terms.expiresAt,
        message: address === undefined ? undefined : writeMessage({ ...terms, nonce }, address),
      }
    },
    async finish({ message: text, signature }) {
      const message = parseSignInMessage(text)
      if (message === undefined) throw new SignInError('message')
      const now = clock.now()
      const origin = origins.find((each) => isFor(message, each))
      if (origin === undefined) throw new SignInError('foreign')
      if (!isSupported(chainOf(message), chains)) throw new SignInError('chain')
      if (!isCurrent(message, now)) throw new SignInError('expired')
      const terms = checkNonce(await readSecret(), { message, origin, now })
      const wallet = await verifySignature({ text, message, signature }, callNode).catch(translate)
      if (wallet === undefined) throw new SignInError('signature')
      const used = { nonce: message.nonce, wallet, usedAt: now, expiresAt: terms.expiresAt + SKEW_MS }
      const outcome = await store.spendNonce(used)
      if (outcome !== 'taken') throw new SignInError(outcome === 'full' ? 'busy' : 'nonce')
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const expiresAt = now + SESSION_MS
      await store.addSession({ hash: hashToken(token), wallet, createdAt: now, expiresAt })
      return { token, wallet, expiresAt }
    },
    async findWallet(token) {
      if (!TOKEN_FORM.test(token)) return undefined
      const session = await store.findSession(hashToken(token))
      return session !== undefined && clock.now() < session.expiresAt ? (session.wallet as Wallet) : undefined
    },
    async end(token) {
      if (TOKEN_FORM.test(token)) await store.removeSession(hashToken(token))
    },
  }
}

const STATEMENT = 'Sign in to Assay. This costs nothing and sends no transaction.'

const SECRET_NAME = 'sign-in'
/** Time to find the wallet, read the message and sign it. */
const NONCE_MS = 5 * 60_000
/** Clocks of wallets differ from ours. */
const SKEW_MS = 60_000

const TOKEN_BYTES = 32
const TOKEN_FORM = /^[\w-]{43}$/
/**
 * A week: a key lives longer than the session that made it, so that signing in again costs little.
 */
export const SESSION_MS = 7 * 24 * 60 * 60_000

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

const SOLANA = 'SOL'
const SOLANA_NAMES: readonly string[] = ['mainnet', 'solana:mainnet']

const isSupported = (chain: string, chains: SignInOptions['chains']) =>
  chain === SOLANA || (/^\d{1,16}$/.test(chain) && findChain(Number(chain), chains) !== undefined)

/** The chain that a message names, as nonces name chains; empty for none. */
function chainOf({ ledger, chainId }: SignInMessage): string {
  if (ledger === 'Ethereum') return chainId === String(Number(chainId)) ? chainId : ''
  return SOLANA_NAMES.includes(chainId) ? SOLANA : ''
}

function writeMessage(
  { nonce, origin, chain, issuedAt, expiresAt }: NonceTerms & { nonce: string },
  address: string,
): string {
  const isEthereum = /^0x[0-9a-fA-F]{40}$/.test(address)
  const isSolana = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)
  if ((!isEthereum && !isSolana) || (chain !== undefined && (chain === SOLANA) !== isSolana))
    throw new SignInError('address')
  return formatSignInMessage({
    ledger: isEthereum ? 'Ethereum' : 'Solana',
    domain: new URL(origin).host,
    address: isEthereum ? getAddress(address.toLowerCase() as Address) : address,
    statement: STATEMENT,
    uri: origin,
    chainId: isEthereum ? (chain ?? '1') : 'mainnet',
    nonce,
    issuedAt,
    expirationTime: expiresAt,
  })
}

/**
 * Domain and URI must both be the origin: a wallet compares the domain with the page it is on, and
 * we compare both with ourselves.
 */
function isFor({ scheme, domain, uri }: SignInMessage, origin: string): boolean {
  const { host, protocol } = new URL(origin)
  const isHere = URL.canParse(uri) && new URL(uri).origin === origin && new URL(uri).username === ''
  return domain.toLowerCase() === host && isHere && (scheme === undefined || `${scheme}:` === protocol)
}

function isCurrent({ issuedAt, expirationTime = Number.POSITIVE_INFINITY, notBefore = 0 }: SignInMessage, now: number) {
  return issuedAt <= now + SKEW_MS && notBefore <= now + SKEW_MS && now < expirationTime
}

/** What the message's nonce was given for. */
function checkNonce(
  secret: Buffer,
  { message, origin, now }: { message: SignInMessage; origin: string; now: number },
): NonceTerms {
  const terms = readNonce(secret, message.nonce, { origin, chain: chainOf(message) })
  if (terms === undefined) throw new SignInError('nonce')
  // A message from before its nonce was not made for it.
  if (message.issuedAt < terms.issuedAt - SKEW_MS) throw new SignInError('nonce')
  if (now >= terms.expiresAt) throw new SignInError('expired')
  return terms
}

function translate(error: unknown): never {
  throw error instanceof RpcUnavailableError ? new SignInError('node', error) : error
}

const REASONS = {
  message: 'The text is no sign-in message',
  foreign: 'The message is for another site',
  chain: 'The chain is not supported',
  address: 'The address is none of that chain',
  expired: 'The message is past its time',
  nonce: 'The nonce is unknown, used, or for something else',
  signature: 'The signature is not that of the address',
  node: 'No node could be asked about the contract wallet',
  busy: 'The wallet signed in too often lately',
} as const

/** A wallet could not sign in, and `reason` says why. */
export class SignInError extends BaseError {
  override readonly name = 'SignInError'
  readonly reason: keyof typeof REASONS

  constructor(reason: keyof typeof REASONS, cause?: unknown) {
    super(REASONS[reason], { cause, docs: 'docs/errors.md' })
    this.reason = reason
  }
}
