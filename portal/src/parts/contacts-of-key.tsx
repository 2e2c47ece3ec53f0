import { type FormEvent, useCallback, useEffect, useId, useState } from 'react'
import { RequestError } from '../api/api-client.js'
import { type Contact, contactsOf } from '../api/contacts.js'

const MAILED = 'A mail with a link is on its way. Alerts follow once the link was confirmed.'

/** How often it is looked whether a receiver has said yes. */
const LOOK_MS = 5_000

/**
 * People that new watches tell, where the operator has a mail server or a bot: `onList` hears of
 * all of them. Shows nothing where there is no way to tell any.
 */
export function ContactsOfKey({ apiKey, onList }: { apiKey: string; onList(ids: readonly string[]): void }) {
  const [ways, setWays] = useState<readonly Contact['kind'][]>([])
  const [contacts, setContacts] = useState<readonly Contact[]>([])
  const [link, setLink] = useState<string | null>(null)
  const [notice, setNotice] = useState('')
  const problemId = useId()

  const look = useCallback(async () => {
    const listed = await contactsOf(apiKey).list()
    setWays(listed.ways)
    setContacts(listed.contacts)
    onList(listed.contacts.map(({ id }) => id))
  }, [apiKey, onList])
  useEffect(() => {
    // What cannot be listed now is listed by the next look; the page itself says what is wrong.
    const tick = () => void look().catch(() => {})
    tick()
    const timer = window.setInterval(tick, LOOK_MS)
    return () => window.clearInterval(timer)
  }, [look])
  if (ways.length === 0) return null

  const attempt = async (action: () => Promise<string>) => {
    try {
      setNotice(await action())
      await look()
    } catch (error) {
      setNotice(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
    }
  }
  const addMailbox = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const address = String(new FormData(form).get('mailbox') ?? '')
    void attempt(async () => {
      await contactsOf(apiKey).order('email', address)
      form.reset()
      return MAILED
    })
  }
  const addChat = () =>
    attempt(async () => {
      setLink((await contactsOf(apiKey).order('telegram')).link)
      return 'Open the link where you use Telegram, and press Start.'
    })
  return (
    <section aria-labelledby="contacts-title">
      <h2 id="contacts-title">Who is told</h2>
      <p className="quiet">New watches tell all of these. Nothing is sent before the receiver has confirmed.</p>
      <ul className="watch-list" aria-label="Who is told">
        {contacts.map((contact) => (
          <ContactRow
            key={contact.id}
            contact={contact}
            onEnd={() =>
              attempt(async () => {
                await contactsOf(apiKey).end(contact.id)
                return ''
              })
            }
          />
        ))}
      </ul>
      {ways.includes('email') && (
        <form className="target-form" onSubmit={addMailbox}>
          <div className="field grow">
            <label htmlFor={`${problemId}-mailbox`}>E-mail address</label>
            <input
              id={`${problemId}-mailbox`}
              name="mailbox"
              type="email"
              autoComplete="email"
              required
              aria-describedby={problemId}
            />
          </div>
          <button type="submit" className="button">
            Ask to confirm
          </button>
        </form>
      )}
      {ways.includes('telegram') && (
        <p>
          <button type="button" className="button" onClick={() => void addChat()}>
            Connect Telegram
          </button>{' '}
          {link !== null && (
            <a href={link} target="_blank" rel="noopener noreferrer">
              Open the bot
            </a>
          )}
        </p>
      )}
      <p id={problemId} role="status">
        {notice === MAILED && contacts.every(({ isConfirmed }) => isConfirmed) ? '' : notice}
      </p>
    </section>
  )
}

function ContactRow({ contact, onEnd }: { contact: Contact; onEnd(): Promise<void> }) {
  const { kind, address, isConfirmed, delivered, waiting, failure } = contact
  const name = kind === 'email' ? (address ?? 'A mailbox') : 'Telegram'
  return (
    <li>
      <div className="watch-name">
        <strong>{name}</strong>
        <span className="quiet">{isConfirmed ? 'confirmed' : 'not confirmed yet'}</span>
      </div>
      <p className="quiet">
        {delivered} told{waiting > 0 && `, ${waiting} waiting`}
        {failure !== null && ` · ${failure}`}
      </p>
      <button type="button" className="button" aria-label={`End ${name}`} onClick={() => void onEnd()}>
        End
      </button>
    </li>
  )
}
