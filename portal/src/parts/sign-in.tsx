import { lazy, Suspense } from 'react'

// Most visitors never open it.
const Dialog = lazy(() => import('./sign-in-dialog.js').then(({ SignInDialog }) => ({ default: SignInDialog })))

/** The dialog to sign in with, fetched when it is opened. */
export function SignIn({ onClose }: { onClose(): void }) {
  return (
    <Suspense>
      <Dialog onClose={onClose} />
    </Suspense>
  )
}
