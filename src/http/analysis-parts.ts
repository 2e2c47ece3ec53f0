import type { AnalysisTarget } from '../checks/target.js'
import type { ApiErrorCode } from './api-error.js'
import { analyseBySimulation } from './routes/execute-simulation/route.js'
import { analyseAsHoneypot } from './routes/honeypot-checks/route.js'
import { analyseAsPhishing } from './routes/phishing-checks/route.js'

/** What the answers are made with. */
export type PartServices = Parameters<typeof analyseBySimulation>[0] &
  Parameters<typeof analyseAsHoneypot>[0] &
  Parameters<typeof analyseAsPhishing>[0]

/** One of several answers on the same target: what an endpoint of its own would give. */
export interface AnalysisPart {
  name: 'simulation' | 'honeypot' | 'phishing'
  failure: ApiErrorCode
  analyse(services: PartServices, target: AnalysisTarget): Promise<object>
}

export const ANALYSIS_PARTS: readonly AnalysisPart[] = [
  { name: 'simulation', failure: 'simulation_failed', analyse: analyseBySimulation },
  { name: 'honeypot', failure: 'honeypot_failed', analyse: analyseAsHoneypot },
  { name: 'phishing', failure: 'phishing_failed', analyse: analyseAsPhishing },
]
