import { isIP } from 'node:net'
import { BaseError } from '../errors.js'

/** A mail as plain text: there is no markup in it that a token's name could become part of. */
export interface Mail {
  to: string
  subject: string
  text: string
  /** The same for the same mail, so that a mailbox that gets it twice can tell. */
  id: string
  /** Ends such mails by one request, as RFC 8058 has it. */
  stopUrl?: string | undefined
}

/** Hands a mail to the operator's server; {@link MailFailure} where it did not take it. */
export type SendMail = (mail: Mail) => Promise<void>

export interface MailServer {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. */
  url: string
  from: string
}

/**
 * All of one mail. A stop of the process does not cut it short: what was cut while the server took
 * it would be sent twice.
 */
const TIMEOUT_MS = 15_000

/** One connection a mail: there are few, and a connection that is kept can be dead. */
export function createSendMail({ url, from }: MailServer, timeoutMs = TIMEOUT_MS): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const openTransport = async () =>
    (await import('nodemailer')).createTransport({
      host,
      port: port === '' ? (isSecure ? 465 : 587) : Number(port),
      secure: isSecure,
      // A password crosses a network under TLS alone.
      requireTLS: !isSecure && username !== '' && !isThisMachine(host),
      ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      maxResponseSize: MAX_ANSWER_BYTES,
      // Texts are texts, and name no file and no address to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let transport: ReturnType<typeof openTransport> | undefined
  const domain = from.replace(/^.*@|>$/g, '')
  return async ({ to, subject, text, id, stopUrl }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      transport ??= openTransport()
      await (await transport).sendMail({
        ...{ from, to: { name: '', address: to }, subject, text, signal },
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(stopUrl !== undefined && {
            'List-Unsubscribe': `<${stopUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      })
    } catch (error) {
      throw new MailFailure(error)
    }
  }
}

const MAX_ANSWER_BYTES = 64 * 1024

const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The operator's server did not take a mail. Its words stay in the log: they name mailboxes. */
export class MailFailure extends BaseError {
  override readonly name = 'MailFailure'
  /** The server said that trying again changes nothing. */
  readonly isFinal: boolean

  constructor(cause: unknown) {
    const status = statusOf(cause)
    const isFinal = status >= 500 && status < 600 && isAboutReceiver(cause)
    super(isFinal ? 'The mail server refused the message' : 'The mail server did not take the message', {
      cause,
      docs: 'docs/watching.md',
    })
    this.isFinal = isFinal
  }
}

const statusOf = (error: unknown) => Number((error as { responseCode?: unknown } | null)?.responseCode ?? 0)

/** A password that is wrong is the operator's to mend, and no receiver's doing. */
const isAboutReceiver = (error: unknown) =>
  ['EENVELOPE', 'EMESSAGE'].includes(String((error as { code?: unknown } | null)?.code))
