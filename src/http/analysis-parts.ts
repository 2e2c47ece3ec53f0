import type { AnalysisTarget } from '../checks/target.js'
import type { Assessment, PartName } from '../reports/assess.js'
import type { ApiErrorCode } from './api-error.js'
import { renderSimulation } from './routes/execute-simulation/route.js'
import { renderHoneypot } from './routes/honeypot-checks/route.js'
import { renderPhishing } from './routes/phishing-checks/route.js'
import type { Services } from './services.js'

/** What an answer is written with. */
export type RenderServices = Pick<Services, 'clock' | 'config' | 'seals'>

/** One of the answers on a target: what an endpoint of its own gives. */
export interface AnalysisPart {
  name: PartName
  url: string
  failure: ApiErrorCode
  /** The body of the answer. Throws what kept the part from being made. */
  render(services: RenderServices, target: AnalysisTarget, assessment: Assessment): { block: { hash: string } }
}

export const ANALYSIS_PARTS: readonly AnalysisPart[] = [
  {
    name: 'simulation',
    url: '/api/simulate/execute-simulation',
    failure: 'simulation_failed',
    render: renderSimulation,
  },
  { name: 'honeypot', url: '/api/honeypot/honeypot-checks', failure: 'honeypot_failed', render: renderHoneypot },
  { name: 'phishing', url: '/api/phishing/phishing-checks', failure: 'phishing_failed', render: renderPhishing },
]
