import type { FormEvent } from 'react'
import { useSession } from '../session.js'
import '../styles/key-entry.css'

/** Takes a key for this visit; it is kept in memory alone. */
export function KeyEntry({ label, onDone }: { label: string; onDone?(): void }) {
  const { setApiKey } = useSession()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (key === '') return
    onDone?.()
    setApiKey(key)
  }
  return (
    <form className="key-entry" onSubmit={submit}>
      <label htmlFor="own-key">{label}</label>
      <div className="row">
        <input id="own-key" name="key" type="password" autoComplete="off" spellCheck={false} placeholder="assay_…" />
        <button type="submit" className="button">
          Use
        </button>
      </div>
    </form>
  )
}
