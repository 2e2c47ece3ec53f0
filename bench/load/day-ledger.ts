import { percentile } from './lanes.js'

/** What became of each request and each batch of a long run. */
export interface Ledger {
  /** A verdict without any attack. */
  learn(token: string, verdict: unknown): void
  answered(answer: DayAnswer): void
  /** A request without an answer. */
  lost(reason: string): void
  /** A batch with one target and a webhook. */
  delivered(order: { done: number; webhook: string }): void
  /** What must not happen, each kind with how often. */
  problems(): string[]
  summary(): string
  rows(): [what: string, value: string][]
}

interface DayAnswer {
  kind: string
  token: string
  status: number
  body: unknown
  ms: number
}

/** Refusals that say when to come back, and a machine that says it was too busy, lose nothing. */
const ALLOWED = new Set([200, 400, 503])

export function createLedger(): Ledger {
  const quiet = new Map<string, string>()
  const statuses = createTally()
  const problems = createTally()
  const changed = createTally()
  const times = new Map<string, number[]>()
  let batches = 0

  const judge = ({ token, body }: DayAnswer) => {
    const now = tradeOf(body)
    if (now === undefined || quiet.get(token) === now) return
    const isKinder = now === SELLS && quiet.get(token) !== SELLS
    if (isKinder) problems.add(`a kinder verdict on ${token}`)
    else changed.add(`${token}: ${quiet.get(token)} became ${now}`)
  }

  const summary = () => `answers ${statuses.text()}; batches ${batches}; problems ${problems.text() || 'none'}`
  return {
    learn: (token, verdict) => void quiet.set(token, nameTrade((verdict as { trade?: unknown[] })?.trade)),
    answered(answer) {
      const { success, code } = answer.body as { success?: unknown; code?: unknown }
      statuses.add(code === undefined ? String(answer.status) : `${answer.status} \`${code}\``)
      if (!ALLOWED.has(answer.status)) problems.add(`${answer.status} ${String(code)} from ${answer.kind}`)
      if (answer.status === 503 && answer.kind !== 'ready' && code === undefined) problems.add('503 without a code')
      if (answer.status === 200 && answer.kind.startsWith('/api/') && success !== true)
        problems.add('200 without success')
      if (answer.status === 200) {
        judge(answer)
        const known = times.get(answer.kind) ?? []
        times.set(answer.kind, known)
        known.push(answer.ms)
      }
    },
    lost: (reason) => problems.add(reason),
    delivered({ done, webhook }) {
      batches += 1
      if (done !== 1 || webhook !== 'delivered') problems.add(`a batch with ${done} results, webhook ${webhook}`)
    },
    problems: () => problems.names(),
    summary,
    rows: () => [
      ['answers by status', statuses.text()],
      [
        'a 500, a request without an answer, a kinder verdict, a batch or a webhook that was lost',
        problems.text() || 'none',
      ],
      ['batches that were worked on, and whose webhook was told', String(batches)],
      ['verdicts that were more careful than without attacks', changed.text() || 'none'],
      ...[...times].map(([kind, ms]): [string, string] => [kind, timesOf(ms)]),
    ],
  }
}

const SELLS = 'sells'
const UNKNOWN = 'not known'

function tradeOf(body: unknown): string | undefined {
  const { checks } = body as { checks?: { simulateResult?: { success: boolean; isHoneypot: boolean } } }
  const trade = checks?.simulateResult
  return trade && nameTrade([trade.success, trade.isHoneypot])
}

function nameTrade([success, isHoneypot]: unknown[] = []): string {
  if (isHoneypot === true) return 'honeypot'
  return success === true ? SELLS : UNKNOWN
}

function timesOf(ms: readonly number[]): string {
  const sorted = [...ms].sort((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => `${percentile(sorted, share).toFixed(0)} ms`)
  return `p50 ${p50}, p95 ${p95}, p99 ${p99}`
}

function createTally() {
  const counts = new Map<string, number>()
  return {
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    names: () => [...counts.keys()],
    text: () => [...counts].map(([name, count]) => `${name}: ${count}`).join(', '),
  }
}
