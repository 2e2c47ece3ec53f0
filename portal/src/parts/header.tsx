import { useState } from 'react'
import { shorten } from '../format.js'
import { Link, useLocation } from '../router.js'
import { useSession } from '../session.js'
import { SignIn } from './sign-in.js'
import { ThemeSwitch } from './theme-switch.js'

const PAGES = [
  { href: '/', name: 'Analyse' },
  { href: '/wallet', name: 'Wallet' },
  { href: '/watches', name: 'Watches' },
  { href: '/feed', name: 'Feed' },
  { href: '/keys', name: 'Keys' },
  { href: '/webhooks', name: 'Webhooks' },
  { href: '/reference', name: 'Reference' },
]

export function Header() {
  const { path } = useLocation()
  return (
    <header className="header">
      <Link href="/" className="brand">
        <Hallmark />
        <span>Assay</span>
      </Link>
      <nav aria-label="Pages">
        {PAGES.map(({ href, name }) => (
          <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <div className="header-end">
        <ThemeSwitch />
        <Account />
      </div>
    </header>
  )
}

function Account() {
  const { wallet, apiKey, setApiKey, signOut } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (wallet) {
    return (
      <div className="account">
        <span className="mono" title={wallet.address}>
          {shorten(wallet.address)}
        </span>
        <Link href="/reports" className="button plain">
          Reports
        </Link>
        <button type="button" className="button plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    )
  }
  if (apiKey !== undefined) {
    return (
      <div className="account">
        <span className="mono">{shorten(apiKey, 7)}</span>
        <Link href="/reports" className="button plain">
          Reports
        </Link>
        <button type="button" className="button plain" onClick={() => setApiKey(undefined)}>
          Forget key
        </button>
      </div>
    )
  }
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Sign in
      </button>
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </>
  )
}

/** The mark that an assayer strikes into what he has tested. */
export function Hallmark() {
  return (
    <svg className="hallmark" viewBox="0 0 32 32" aria-hidden="true">
      <path className="hallmark-field" d="M9.4 1h13.2L31 9.4v13.2L22.6 31H9.4L1 22.6V9.4z" />
      <path className="hallmark-sign" d="M9 24 16 7.5 23 24M11.8 18.2h8.4" />
    </svg>
  )
}
