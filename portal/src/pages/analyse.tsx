import { Examples } from '../parts/examples.js'
import { TargetForm } from '../parts/target-form.js'

/** The first page: one question, one field. */
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
          <dt>It trades</dt>
          <dd>A fresh, ordinary account buys and sells through the real exchange. What comes back is measured.</dd>
        </div>
        <div>
          <dt>It reads the code</dt>
          <dd>
            Who can stop you from selling, take your tokens or make new ones, with the proof. No source code is needed.
          </dd>
        </div>
        <div>
          <dt>It looks at the history</dt>
          <dd>Who made it, where it is traded, and whether people use it or a few accounts pass it around.</dd>
        </div>
      </dl>
    </div>
  )
}
