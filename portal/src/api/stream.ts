import { send } from './api-client.js'
import { type Failure, NO_REPORTS, type Reports, type Simulation, type SolanaReport, type Target } from './reports.js'
import { readSolana } from './solana.js'

/** What is done of the work, by the names that the service gives. */
export type Step = 'block' | 'simulate' | 'bytecode' | 'history' | 'honeypot' | 'phishing'
export type Progress = Readonly<Partial<Record<Step, 'done' | 'failed'>>>

/** How long such an analysis takes on this service; null where it has measured too few. */
export interface Expected {
  usualMs: number | null
  slowMs: number | null
  mostMs: number
}

export interface AnalysisState {
  expected?: Expected
  progress: Progress
  reports: Reports
  isOver: boolean
}

export const NOTHING_YET: AnalysisState = { progress: {}, reports: NO_REPORTS, isOver: false }

/**
 * Runs an analysis and tells its state whenever there is news. Rejects with `RequestError` when it
 * could not even begin.
 */
export async function analyse(
  target: Target,
  { apiKey, signal, onState }: { apiKey: string | undefined; signal: AbortSignal; onState(state: AnalysisState): void },
): Promise<void> {
  const body = {
    targetContractAddress: target.address,
    chainId: target.chain === 'SOL' ? 'SOL' : Number(target.chain),
    ...(target.blockNumber !== undefined && { blockNumber: target.blockNumber }),
  }
  let state = NOTHING_YET
  for await (const event of askStream(body, { apiKey, signal })) {
    state = follow(state, event)
    onState(state)
  }
  if (!state.isOver) onState(cutOff(state))
}

/** What the service tells of one question, as it comes. Rejects with `RequestError`. */
export async function* askStream(
  body: object,
  { apiKey, signal }: { apiKey: string | undefined; signal: AbortSignal },
): AsyncGenerator<StreamEvent> {
  const response = await send('/api/analysis/stream', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    signal,
  })
  yield* readEvents(response)
}

export interface StreamEvent {
  name: string
  data: Record<string, unknown>
}

/** The state after one more event; what is unknown changes nothing. */
export function follow(state: AnalysisState, { name, data }: StreamEvent): AnalysisState {
  const { progress, reports } = state
  switch (name) {
    case 'expected':
      return { ...state, expected: data as unknown as Expected }
    case 'progress': {
      return { ...state, progress: { ...progress, [String(data.step)]: data.success === true ? 'done' : 'failed' } }
    }
    case 'report': {
      const part = String(data.name)
      return { ...state, progress: finish(progress, part, 'done'), reports: addReport(reports, part, data.report) }
    }
    case 'failure': {
      const part = String(data.name)
      const failure: Failure = { errorReason: String(data.errorReason), code: String(data.code) }
      return {
        ...state,
        progress: finish(progress, part, 'failed'),
        reports: { ...reports, failures: { ...reports.failures, [part]: failure } },
      }
    }
    case 'end':
      return { ...state, isOver: true }
    default:
      return state
  }
}

/** The connection ended in the middle: what is not there will not come. */
export function cutOff({ progress, reports }: AnalysisState): AnalysisState {
  const lost: Failure = { errorReason: 'The connection was lost', code: 'unreachable' }
  const missing = reports.expected.filter((name) => reports[name] === undefined)
  const failures = { ...Object.fromEntries(missing.map((name) => [name, lost])), ...reports.failures }
  return { progress, reports: { ...reports, failures }, isOver: true }
}

/** On Solana one answer has it all. */
const SOLANA_STEPS: readonly Step[] = ['block', 'simulate', 'bytecode', 'history', 'honeypot']

const SIMULATION_STEPS: readonly Step[] = ['block', 'simulate', 'bytecode', 'history']

function finish(progress: Progress, part: string, outcome: 'done' | 'failed'): Progress {
  const steps = part === 'simulation' ? SIMULATION_STEPS : part === 'solana' ? SOLANA_STEPS : [part]
  return { ...Object.fromEntries(steps.map((step) => [step, outcome])), ...progress }
}

function addReport(reports: Reports, part: string, report: unknown): Reports {
  if (part === 'simulation') return { ...reports, simulation: report as Simulation }
  if (part === 'honeypot') return { ...reports, honeypot: report as NonNullable<Reports['honeypot']> }
  if (part === 'solana') return { ...reports, ...readSolana(report as SolanaReport), others: { solana: report } }
  if (part === 'phishing') return { ...reports, phishing: report as NonNullable<Reports['phishing']> }
  return { ...reports, others: { ...reports.others, [part]: report } }
}

/** Server-sent events, as far as our service uses them: a name and one line of data. */
async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event !== undefined) yield event
    }
  }
}

export function parseEvent(block: string): StreamEvent | undefined {
  const name = /^event: (.+)$/m.exec(block)?.[1]
  const data = /^data: (.*)$/m.exec(block)?.[1]
  if (name === undefined || data === undefined) return undefined
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? { name, data: value as Record<string, unknown> } : undefined
  } catch {
    return undefined
  }
}
