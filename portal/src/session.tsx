import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { api, type Wallet } from './api/api-client.js'

interface Session {
  wallet: Wallet | null
  /**
   * A key that was entered instead of signing in. Kept in memory alone: it is gone with the page.
   */
  apiKey: string | undefined
  /** False until it is known who is signed in. */
  isKnown: boolean
  setWallet(wallet: Wallet | null): void
  setApiKey(key: string | undefined): void
  signOut(): Promise<void>
}

const SessionContext = createContext<Session | undefined>(undefined)

/** The session itself is out of reach of scripts; this says whether it is worth asking for. */
const HINT = 'assay:signed-in'

export function SessionProvider({ children }: { children: ReactNode }) {
  const [wallet, storeWallet] = useState<Wallet | null>(null)
  const [apiKey, setApiKey] = useState<string>()
  const [isKnown, setKnown] = useState(() => localStorage.getItem(HINT) === null)

  const setWallet = useCallback((next: Wallet | null) => {
    if (next) localStorage.setItem(HINT, '1')
    else localStorage.removeItem(HINT)
    storeWallet(next)
    setKnown(true)
  }, [])

  useEffect(() => {
    if (localStorage.getItem(HINT) === null) return
    api.session().then(
      ({ wallet: found }) => setWallet(found),
      () => setKnown(true),
    )
  }, [setWallet])

  const session = useMemo<Session>(
    () => ({
      wallet,
      apiKey,
      isKnown,
      setWallet,
      setApiKey,
      async signOut() {
        await api.logout()
        setWallet(null)
      },
    }),
    [wallet, apiKey, isKnown, setWallet],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('no session provider')
  return session
}
