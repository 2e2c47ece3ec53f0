import { type FormEvent, useId, useState } from 'react'
import { useSession } from '../session.js'
import { exampleOf, examplesOf, type Operation } from './document.js'

interface Result {
  status: string
  ms: number
  headers: [string, string][]
  body: string
}

/** Answers of ours are smaller than this by far, except for traces. Characters. */
const MAX_SHOWN = 20_000

/** Headers that tell a caller something about his request. */
const TELLING = ['content-type', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-request-id']

/** Sends a real request from this page and shows what comes back. */
export function TryIt({ operation }: { operation: Operation }) {
  const id = useId()
  const { apiKey } = useSession()
  const { parameters = [], requestBody, security = [] } = operation
  const media = requestBody?.content?.['application/json'] ?? {}
  const example = examplesOf(media)[0] ?? exampleOf(media.schema)
  const needsKey = security.some((each) => 'key' in each)
  const [result, setResult] = useState<Result>()
  const [problem, setProblem] = useState('')

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem('')
    try {
      setResult(await run(operation, new FormData(event.currentTarget)))
    } catch {
      setProblem('The service does not answer.')
    }
  }
  return (
    <details className="disclosure try-it">
      <summary>Try it</summary>
      <form onSubmit={(event) => void submit(event)}>
        {needsKey && (
          <div className="field">
            <label htmlFor={`${id}-key`}>API key</label>
            <input
              id={`${id}-key`}
              name="key"
              className="mono"
              type="password"
              autoComplete="off"
              defaultValue={apiKey}
              placeholder="assay_…"
            />
          </div>
        )}
        {parameters.map(({ name, in: place }) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{name}</label>
            <input id={`${id}-${name}`} name={`${place}:${name}`} className="mono" autoComplete="off" />
          </div>
        ))}
        {requestBody && (
          <div className="field">
            <label htmlFor={`${id}-body`}>Body</label>
            <textarea
              id={`${id}-body`}
              name="body"
              className="mono"
              rows={5}
              spellCheck={false}
              defaultValue={JSON.stringify(example, null, 2)}
            />
          </div>
        )}
        <button type="submit" className="button primary">
          Send
        </button>
      </form>
      <div role="status">
        {problem !== '' && <p className="problem">{problem}</p>}
        {result && <ResultView result={result} />}
      </div>
    </details>
  )
}

function ResultView({ result: { status, ms, headers, body } }: { result: Result }) {
  return (
    <div className="result">
      <p>
        <strong>{status}</strong> in {Math.round(ms)} ms
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      <pre tabIndex={0}>
        {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
        {'\n'}
        {body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}\n… ${body.length - MAX_SHOWN} characters more` : body}
      </pre>
    </div>
  )
}

async function run({ method, path, requestBody }: Operation, form: FormData): Promise<Result> {
  const read = (name: string) => String(form.get(name) ?? '')
  const key = read('key').trim()
  const startedAt = performance.now()
  const response = await fetch(fillIn(path, form), {
    method,
    headers: {
      ...(requestBody && { 'content-type': 'application/json' }),
      ...(key !== '' && { authorization: `Bearer ${key}` }),
    },
    ...(requestBody && { body: read('body') }),
  })
  const text = await response.text()
  return {
    status: `${response.status} ${response.statusText}`,
    ms: performance.now() - startedAt,
    headers: TELLING.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    }),
    body: indent(text),
  }
}

function fillIn(path: string, form: FormData): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of form) {
    const [place, parameter] = name.split(':')
    if (parameter === undefined || value === '') continue
    if (place === 'query') query.set(parameter, String(value))
    if (place === 'path') filled = filled.replace(`{${parameter}}`, encodeURIComponent(String(value)))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
