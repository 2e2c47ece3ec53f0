import type { Chain } from '../../chains/chain.js'
import { spellAddresses } from '../../checksum-address.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { WalletAuthorization, WalletRequest } from '../wallet-request.js'
import type { PlayedWallet } from './play-wallet.js'
import type { SignedIntent } from './signed-intent.js'
import { toNumber } from './typed-values.js'
import type { Approval, Movement, WalletWarning, WalletWarningId } from './wallet-report.js'

interface Consent {
  chain: Chain
  wallet: WalletRequest
  signed: SignedIntent | undefined
  played: PlayedWallet
}

/** What a wallet should say before it asks for consent, worst first. */
export function warningsOf({ chain, wallet, signed, played }: Consent): WalletWarning[] {
  const warnings = [
    ...played.approvals.flatMap(ofApproval),
    ...(signed?.warnings ?? []),
    ...(signed?.isKnown === false ? [warn('unknown-message', 'What such a message allows is not known here.')] : []),
    ...ofDomain(chain, wallet),
    ...(wallet.authorizationList ?? []).flatMap((each) => ofAuthorization(chain, each)),
    ...ofAccount(played),
    ...ofCalls(played),
  ]
  const byText = new Map(warnings.map((each) => [each.text, each]))
  return [...byText.values()].toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
}

const ORDER = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const

const SEVERITIES: Record<WalletWarningId, WalletWarning['severity']> = {
  unlimited: 'MEDIUM',
  operator: 'MEDIUM',
  'no-end': 'LOW',
  order: 'MEDIUM',
  witness: 'MEDIUM',
  'signed-transfer': 'MEDIUM',
  delegation: 'HIGH',
  'every-chain': 'HIGH',
  'other-chain': 'HIGH',
  'foreign-code': 'HIGH',
  refund: 'MEDIUM',
  'account-changed': 'HIGH',
  'takes-all': 'HIGH',
  'no-code': 'HIGH',
  failed: 'MEDIUM',
  'unknown-message': 'MEDIUM',
}

const warn = (id: WalletWarningId, text: string): WalletWarning => ({
  ...{ id, severity: SEVERITIES[id] },
  text: spellAddresses(text),
})

function ofApproval(approval: Approval): WalletWarning[] {
  const { kind, spender, amount, expires } = approval
  const until = expires === undefined ? '' : ` until ${dayOf(expires)}`
  const what = nameOf(approval)
  if (kind === 'order') return [warn('order', `Any account may take ${what} at the price of the order${until}.`)]
  if (kind === 'transfer') return [warn('signed-transfer', `The signature alone pays ${what} to ${spender}${until}.`)]
  if (kind === 'delegation') return []
  const isOperator = kind === 'nft' && amount === undefined
  if (isOperator) return [warn('operator', `${spender} may take every NFT of ${what}, now and later.`)]
  const isLasting = expires === undefined && (kind === 'permit' || kind === 'permit2')
  return [
    ...(amount === undefined
      ? [warn('unlimited', `${spender} may take all ${what} that you have or get${until}.`)]
      : []),
    ...(isLasting ? [warn('no-end', `${spender} keeps the permission for ${what}: it has no end.`)] : []),
  ]
}

/** The token by its own word and its address: the word alone can be any token's. */
function nameOf({ token, symbol, id }: Pick<Movement, 'token' | 'symbol' | 'id'>): string {
  const number = id === undefined ? '' : ` number ${id}`
  if (token === undefined) return symbol === '' ? 'what you own' : symbol
  return `${symbol === '' ? 'the token' : symbol} (${token})${number}`
}

/** Seconds since 1970, as a date. */
const dayOf = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString().slice(0, 10)

function ofDomain(chain: Chain, { typedData }: WalletRequest): WalletWarning[] {
  const id = toNumber(typedData?.domain.chainId)
  return id === undefined || id === BigInt(chain.id) ? [] : [otherChain(id)]
}

const otherChain = (id: bigint) => warn('other-chain', `It is for chain ${id}, on which nothing was looked at.`)

function ofAuthorization(chain: Chain, { address, chainId = BigInt(chain.id) }: WalletAuthorization): WalletWarning[] {
  if (address === ZERO_ADDRESS) return []
  const said = warn('delegation', `The account would run the code of ${address} until another takes its place.`)
  if (chainId === 0n) return [said, warn('every-chain', 'The authorization is valid on every chain.')]
  return chainId === BigInt(chain.id) ? [said] : [said, otherChain(chainId)]
}

function ofAccount({ account, ownStorage, isTakenOver, emptied, arrives }: PlayedWallet): WalletWarning[] {
  const all = arrives.length > 0 ? [] : emptied
  return [
    ...(isTakenOver || ownStorage.size > 0
      ? [warn('account-changed', `The account ${account} itself would change: its owners, modules or code.`)]
      : []),
    ...all.map((each) => warn('takes-all', `Nearly all of ${nameOf(each)} leaves, and nothing comes for it.`)),
  ]
}

function ofCalls({ calls, success, errorReason }: PlayedWallet): WalletWarning[] {
  const isNothing = (address: Address) =>
    warn('no-code', `There is no contract at ${address}: what is sent there does nothing today.`)
  return [
    ...calls.filter(({ isToNothing }) => isToNothing).map(({ to }) => isNothing(to)),
    ...(success === false ? [warn('failed', `It would fail as things are: ${errorReason}.`)] : []),
  ]
}

/** Why such consent cannot be called safe, besides what the play says. */
export function gapsOf({ chain, wallet, signed, played }: Consent): string[] {
  const isElsewhere = [
    ...ofDomain(chain, wallet),
    ...(wallet.authorizationList ?? []).flatMap((each) => ofAuthorization(chain, each)),
  ]
  return [
    ...played.gaps,
    ...(signed?.isKnown === false ? ['the kind of this message is not known'] : []),
    ...(signed?.isCut ? ['the message has more parts than are read'] : []),
    ...(isElsewhere.some(({ id }) => id === 'other-chain') ? ['it is for another chain'] : []),
    ...(played.calls.some(({ isToNothing }) => isToNothing) ? ['a call goes to an address without code'] : []),
  ]
}
