import { useEffect, useRef, useState } from 'react'
import { RequestError } from '../api/api-client.js'
import { useSession } from '../session.js'
import type { WalletChoice } from '../wallet/ethereum-wallet.js'
import { KeyEntry } from './key-entry.js'
import '../styles/sign-in.css'

/** Lists the wallets of this browser and signs in with one of them; a key does instead. */
export function SignInDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { setWallet } = useSession()
  const choices = useWallets()
  const [busy, setBusy] = useState<string>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  const signIn = async (choice: WalletChoice) => {
    setBusy(choice.id)
    setProblem(undefined)
    try {
      const wallet = await choice.signIn()
      // Said here, not by the dialog's own event: it is gone before that comes.
      onClose()
      setWallet(wallet)
    } catch (error) {
      setProblem(explain(error))
      setBusy(undefined)
    }
  }

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="sign-in-title" onClose={onClose}>
      <div className="dialog-head">
        <h2 id="sign-in-title">Sign in</h2>
        <button type="button" className="button plain" onClick={() => dialog.current?.close()} aria-label="Close">
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      <p>Your wallet signs a message. It costs nothing, sends no transaction and asks for no allowance.</p>
      <ul className="wallets" aria-label="Wallets of this browser">
        {choices.map((choice) => (
          <li key={choice.id}>
            <button type="button" className="wallet" disabled={busy !== undefined} onClick={() => void signIn(choice)}>
              {choice.icon ? <img src={choice.icon} alt="" width="28" height="28" /> : <span className="wallet-icon" />}
              <span>{choice.name}</span>
              <small>{busy === choice.id ? 'Sign in your wallet …' : ''}</small>
            </button>
          </li>
        ))}
      </ul>
      {choices.length === 0 && (
        <p className="note">
          No wallet has announced itself in this browser. Install one for Ethereum or Solana, or use an API key.
        </p>
      )}
      <p className="problem" role="alert">
        {problem}
      </p>
      <KeyEntry label="Or use an API key, for this visit only" onDone={onClose} />
    </dialog>
  )
}

function useWallets(): readonly WalletChoice[] {
  const [choices, setChoices] = useState<readonly WalletChoice[]>([])
  useEffect(() => {
    let isOver = false
    const stops: (() => void)[] = []
    const add = (choice: WalletChoice) =>
      setChoices((known) =>
        known.some(({ id }) => id === choice.id) || known.length >= MAX_WALLETS ? known : [...known, choice],
      )
    // Loaded for a sign-in, and not before.
    void Promise.all([import('../wallet/ethereum-wallet.js'), import('../wallet/solana-wallet.js')]).then(
      ([ethereum, solana]) => {
        if (isOver) return
        stops.push(ethereum.discoverEthereum(add), solana.discoverSolana(add))
      },
    )
    return () => {
      isOver = true
      for (const stop of stops) stop()
    }
  }, [])
  return choices
}

/** More than a person has; a foreign page script could announce them without end. */
const MAX_WALLETS = 20

/** EIP-1193: the person said no. */
const USER_REJECTED = 4001

function explain(error: unknown): string {
  if (error instanceof RequestError) return `The service refused: ${error.failure.errorReason}.`
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === USER_REJECTED) return 'You declined in the wallet. Nothing was signed.'
  return typeof message === 'string' && message !== ''
    ? `The wallet says: ${message.slice(0, 200)}`
    : 'The wallet did not sign.'
}
