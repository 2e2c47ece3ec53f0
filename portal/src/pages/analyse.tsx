import { Examples } from '../parts/examples.js'
import { TargetForm } from '../parts/target-form.js'

/** Where everybody arrives: one question, one field. */
export function AnalysePage() {
  return (
    <div className="page home">
      <h1>Is this token safe to touch?</h1>
      <p className="lead">
        Assay buys it and sells it, on a private copy of the live chain: now, in 24 hours and in 7 days. It reads the
        code, looks at the history, and shows what it saw.
      </p>
      <TargetForm />
      <Examples />
      <dl className="method">
        <div>
          <dt>Acted</dt>
          <dd>A fresh, ordinary account trades through the real exchange. What comes back is measured, not guessed.</dd>
        </div>
        <div>
          <dt>Read</dt>
          <dd>
            Every power over your balance that the bytecode holds, with its place in the code and who holds it today.
          </dd>
        </div>
        <div>
          <dt>Counted</dt>
          <dd>Transfers tell the living from the dead, and the busy from those that only look it.</dd>
        </div>
      </dl>
    </div>
  )
}
