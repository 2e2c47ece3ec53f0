import { useEffect, useState } from 'react'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const STORED = 'assay:theme'
const readTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'auto'

/** Goes through as the system has it, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  const change = () => {
    localStorage.setItem(STORED, next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      className="button plain theme"
      onClick={change}
      aria-label={`Colours: ${theme}. Change to ${next}`}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        {theme === 'auto' && <path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />}
        {theme === 'dark' && <circle cx="8" cy="8" r="6.5" fill="currentColor" />}
      </svg>
    </button>
  )
}
