/** Ways in which people are told; which there are, the operator says. */
export const CONTACT_KINDS = ['email', 'telegram'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]

/** A person that a key has told of what its watches find. Times in milliseconds since 1970. */
export interface Contact {
  id: string
  /** Id of the key that it belongs to. */
  keyId: string
  kind: ContactKind
  /**
   * What of its address is counted and refused, so that one mailbox has one name; absent while a
   * chat of Telegram is not known.
   */
  receiver: string | undefined
  /** Where messages go: an e-mail address, or the id of a chat. */
  address: string | undefined
  /** Told of nothing until the receiver itself has said yes. */
  isConfirmed: boolean
  /** Of the link that ends the messages, without a key. */
  stopToken: string
  createdAt: number
}

/** Contacts of one key. */
export const MAX_CONTACTS = 10

/** What one key may ask strangers in a day, however often it ends the contacts again. */
export const ASKS_OF_KEY = 20
/** How often one receiver is asked in a day, by however many keys. */
export const ASKS_OF_RECEIVER = 3
export const ASKS_MS = 24 * 3_600_000

/** A question that is not answered by then is none any more. */
export const CODE_MS = 24 * 3_600_000

/** A receiver that wants no questions has none for a year. */
export const REFUSED_MS = 365 * 24 * 3_600_000

/** Messages an hour that one receiver gets; the others wait. */
export const NOTICES_OF_RECEIVER = 30
/** Messages an hour that one key has sent. */
export const NOTICES_OF_KEY = 120
export const NOTICES_MS = 3_600_000

/** What could not be told by then is of no use any more. */
export const NOTICE_KEPT_MS = 24 * 3_600_000

/** What the service calls a contact; anything else is none, and no store is asked for it. */
export const isContactId = (text: string): boolean => /^contact_[0-9a-f]{32}$/.test(text)

/** Codes and tokens: 32 random bytes, in a form that Telegram's links take. */
export const isSecretForm = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const HOST = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

/** One plain e-mail address: no name beside it, no quotes, no list, no address of a machine. */
export function parseMailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const [local, host] = [text.slice(0, at), text.slice(at + 1).toLowerCase()]
  const isShort = local.length <= MAX_LOCAL && text.length <= MAX_MAIL_ADDRESS
  return at > 0 && isShort && LOCAL.test(local) && HOST.test(host) ? `${local}@${host}` : undefined
}

/** Of RFC 5321, section 4.5.3.1. */
const MAX_LOCAL = 64
const MAX_MAIL_ADDRESS = 254

/** The mailbox behind an address: what follows a `+` is the receiver's own note. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const [local = ''] = address.slice(0, at).split('+')
  return `email:${(local || address.slice(0, at)).toLowerCase()}${address.slice(at)}`
}

export const chatOf = (id: string): string => `telegram:${id}`

/** What a reader of the key's answers may see: enough to tell one from another. */
export function maskAddress({ kind, address }: Pick<Contact, 'kind' | 'address'>): string | undefined {
  if (address === undefined || kind === 'telegram') return undefined
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}
