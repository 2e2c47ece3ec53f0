import { useState } from 'react'

const SHOWN_MS = 2_000

/** Copies a text and says so, on the button and to a screen reader. */
export function CopyButton({ text, label = 'Copy', what }: { text: string; label?: string; what: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    setTimeout(() => setDone(false), SHOWN_MS)
  }
  return (
    <button type="button" className="button plain copy" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      <span aria-live="polite">{isDone ? 'Copied' : label}</span>
    </button>
  )
}
