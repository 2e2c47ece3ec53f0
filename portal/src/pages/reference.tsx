import { useEffect, useState } from 'react'
import { send } from '../api/api-client.js'
import {
  type Answer,
  type ApiDocument,
  failuresOf,
  idOf,
  inlineSchemas,
  type Operation,
  operationsOf,
  rowsOf,
} from '../reference/document.js'
import { TryIt } from '../reference/try-it.js'
import '../styles/reference.css'

/** Every route, from the document that the service makes of its own schemas. */
export function ReferencePage() {
  const [document, setDocument] = useState<ApiDocument>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    send('/openapi.json', {})
      .then(async (response) => setDocument(inlineSchemas((await response.json()) as ApiDocument)))
      .catch(() => setFailed(true))
  }, [])
  if (hasFailed) return <p className="page note">The document could not be loaded. Reload the page to try again.</p>
  if (!document) return <p className="page quiet">Loading …</p>
  const operations = operationsOf(document)
  return (
    <div className="page reference">
      <h1>API reference</h1>
      <p className="lead">
        {document.info.description} Version {document.info.version}.
      </p>
      <p>
        Every answer is JSON with <code>success</code>. When that is false, <code>errorReason</code> has the exact text
        and <code>code</code> a name that never changes.
      </p>
      <nav aria-label="Routes">
        <ul className="toc">
          {operations.map((operation) => (
            <li key={idOf(operation)}>
              <a href={`#${idOf(operation)}`}>
                <span className="verb">{operation.method}</span> {operation.path}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {operations.map((operation) => (
        <OperationView key={idOf(operation)} operation={operation} document={document} />
      ))}
    </div>
  )
}

interface ViewProps {
  operation: Operation
  document: ApiDocument
}

function OperationView({ operation, document }: ViewProps) {
  const { method, path, summary, security = [], parameters = [], requestBody, responses } = operation
  const body = requestBody?.content?.['application/json']?.schema
  const [failures, successes] = split(responses)
  const title = `${idOf(operation)}-title`
  return (
    <section className="operation" id={idOf(operation)} aria-labelledby={title}>
      <h2 id={title}>
        <span className="verb">{method}</span> <span className="wrap">{path}</span>
      </h2>
      <p>
        {summary}. <span className="quiet">{describeAccess(security)}</span>
      </p>
      {parameters.length > 0 && (
        <FieldTable
          caption="Parameters"
          rows={parameters.map(({ name, required = false, schema, description }) => ({
            name,
            type: [schema?.type ?? 'string'].flat().join(' | '),
            isRequired: required,
            description: description ?? schema?.description ?? '',
          }))}
        />
      )}
      {body && <FieldTable caption="Body" rows={rowsOf(body, document)} />}
      {successes.map(([status, answer]) => (
        <details key={status} className="disclosure">
          <summary>{status}: what it answers</summary>
          <SuccessView answer={answer} document={document} />
        </details>
      ))}
      {failures.length > 0 && (
        <details className="disclosure">
          <summary>{failures.map(([status]) => status).join(', ')}: why it may refuse</summary>
          <FailureTable failures={failures} />
        </details>
      )}
      <TryIt operation={operation} />
    </section>
  )
}

function split(responses: Operation['responses']): [[string, Answer][], [string, Answer][]] {
  const all = Object.entries(responses)
  return [all.filter(([status]) => status >= '400'), all.filter(([status]) => status < '400')]
}

function describeAccess(security: NonNullable<Operation['security']>): string {
  const names = security.flatMap((each) => Object.keys(each))
  if (names.length === 0) return 'For everyone.'
  const words = names.map((name) => (name === 'session' ? 'a session' : 'an API key'))
  return `Needs ${words.join(' or ')}.`
}

function SuccessView({ answer, document }: { answer: Answer; document: ApiDocument }) {
  const stream = answer.content?.['text/event-stream']?.schema
  if (stream) return <pre className="plain-text">{stream.description}</pre>
  return <FieldTable caption="Fields" rows={rowsOf(answer.content?.['application/json']?.schema, document)} />
}

function FieldTable({ caption, rows }: { caption: string; rows: ReturnType<typeof rowsOf> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region that scrolls is no fieldset
    <div className="scroll" tabIndex={0} role="group" aria-label={caption}>
      <table className="field-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, description }) => (
            <tr key={name}>
              <td className="mono">
                {name}
                {!isRequired && <span className="quiet"> ?</span>}
              </td>
              <td className="mono">{type}</td>
              <td>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FailureTable({ failures }: { failures: [string, Answer][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a region that scrolls is no fieldset
    <div className="scroll" tabIndex={0} role="group" aria-label="Failures">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">errorReason</th>
            <th scope="col">code</th>
          </tr>
        </thead>
        <tbody>
          {failures.flatMap(([status, answer]) =>
            failuresOf(answer.content?.['application/json']?.schema).map(({ errorReason, code }) => (
              <tr key={code}>
                <td>{status}</td>
                <td>{errorReason}</td>
                <td className="mono">{code}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  )
}
