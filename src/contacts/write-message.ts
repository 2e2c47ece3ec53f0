import type { Chain } from '../chains/chain.js'
import { SOLANA_ID, toWireChainId } from '../chains/chain-id.js'
import { describeRisk } from '../reports/describe-risk.js'
import { showAddress } from '../solana/token-address.js'
import { plainText } from '../untrusted-text.js'
import type { Alert, AlertKind, Judgement } from '../watching/watch.js'

/** A text for people, the same for mail and Telegram. */
export interface Message {
  subject: string
  text: string
}

export interface MessageOptions {
  /** Where people reach the service, without a trailing slash. */
  origin: string
  chains: readonly Pick<Chain, 'id' | 'name'>[]
}

const SUBJECTS: Readonly<Record<AlertKind, string>> = {
  level: 'The verdict changed',
  condition: 'What decides a sale was changed',
  owner: 'Owner or code was changed',
  liquidity: 'Liquidity left',
  tax: 'The cost of a trade changed',
  date: 'An announced date came',
  pending: 'A transaction waits that would change it',
}

/** What happened to a token, with the link that ends such messages. */
export function writeAlert(alert: Alert, stopToken: string, { origin, chains }: MessageOptions): Message {
  const { address, chainId, kind, text, origin: from, before, after } = alert
  const token = showAddress(address)
  const chain = nameOf(chainId, chains)
  const lines = [
    withoutLinks(text),
    '',
    `Token: ${token} on ${chain}`,
    ...(before === undefined ? [] : [`Verdict before: ${judged(before)}`]),
    ...(after === undefined ? [] : [`Verdict now: ${judged(after)}`]),
    ...(from === undefined ? [] : [`Block: ${from.block.number}`]),
    ...(from?.transaction === undefined ? [] : [`Transaction: ${from.transaction}`]),
    '',
    `Report: ${origin}/report/${toWireChainId(chainId)}/${token}`,
    `No more of these: ${stopLink(origin, stopToken)}`,
  ]
  return { subject: `${SUBJECTS[kind]}: ${token.slice(0, 8)}…${token.slice(-4)} on ${chain}`, text: lines.join('\n') }
}

const nameOf = (chainId: number, chains: MessageOptions['chains']) =>
  chainId === SOLANA_ID ? 'Solana' : (chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`)

const judged = (judgement: Judgement) => `${judgement.advice} (${describeRisk(judgement)})`

/** Asks a mailbox whether it wants to be told. */
export const writeQuestion = (
  code: string,
  stopToken: string,
  { origin }: Pick<MessageOptions, 'origin'>,
): Message => ({
  subject: 'Confirm this address for alerts about tokens',
  text: [
    `A user of Assay at ${origin} wants alerts about watched tokens to be sent to this address.`,
    '',
    `If that is you, confirm within a day: ${confirmLink(origin, code)}`,
    '',
    'If it is not, do nothing: without that no alert is sent.',
    `To get no such questions any more: ${stopLink(origin, stopToken)}`,
  ].join('\n'),
})

/** Said in a chat that has just confirmed. */
export const writeWelcome = (stopToken: string, { origin }: Pick<MessageOptions, 'origin'>): string =>
  [
    `Alerts about tokens that are watched at ${origin} come here from now on.`,
    `No more of these: /stop, or ${stopLink(origin, stopToken)}`,
  ].join('\n')

export const STOPPED_TEXT = 'No more alerts come here.'
export const UNKNOWN_CODE_TEXT = 'That link is used up or too old. Make a new one on the page of watches.'

export const confirmLink = (origin: string, code: string): string => `${origin}/contacts/confirm/${code}`
export const stopLink = (origin: string, stopToken: string): string => `${origin}/contacts/stop/${stopToken}`

/**
 * A sentence of ours may hold words of a token. Programs of mail and chats make links, mentions and
 * commands of plain text: nothing is left here that they take for one.
 */
export function withoutLinks(text: string): string {
  return plainText(text, MAX_TEXT)
    .replace(/[^\p{L}\p{N}\p{Zs}.,;:%()'’…?!+-]/gu, ' ')
    .replace(/(?<!\p{N})[.:](?=[\p{L}\p{N}])|(?<=\p{N})[.:](?=\p{L})/gu, '$& ')
    .replace(/(?<=\p{N}\.\p{N}+)\.(?=\p{N})/gu, '. ')
    .replace(/\p{Zs}+/gu, ' ')
}

const MAX_TEXT = 400
