import { type KeyboardEvent, useRef, useState } from 'react'
import { CopyButton } from './copy-button.js'
import { LANGUAGES, type Language, writeSnippet } from './write-snippet.js'

/** The same request in three languages, ready to run. */
export function Snippets({ apiKey, origin }: { apiKey: string; origin: string }) {
  const [name, setName] = useState<Language>('curl')
  const tabs = useRef<HTMLDivElement>(null)
  const code = writeSnippet(name, { apiKey, origin })
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const next = LANGUAGES[(LANGUAGES.indexOf(name) + step + LANGUAGES.length) % LANGUAGES.length] ?? 'curl'
    setName(next)
    tabs.current?.querySelector<HTMLElement>(`[data-name="${next}"]`)?.focus()
  }
  return (
    <div className="snippets">
      <div className="snippet-head">
        <div role="tablist" aria-label="Language" ref={tabs} onKeyDown={move}>
          {LANGUAGES.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              id={`snippet-tab-${each}`}
              data-name={each}
              aria-selected={each === name}
              aria-controls="snippet-code"
              tabIndex={each === name ? 0 : -1}
              onClick={() => setName(each)}
            >
              {each}
            </button>
          ))}
        </div>
        <CopyButton text={code} what={`the ${name} example`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      <pre id="snippet-code" role="tabpanel" aria-labelledby={`snippet-tab-${name}`} tabIndex={0}>
        {code}
      </pre>
    </div>
  )
}
