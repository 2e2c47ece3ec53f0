import type { RouteOptions } from 'fastify'
import { isFailed } from '../../../checks/settle.js'
import type { AnalysisTarget } from '../../../checks/target.js'
import { analysisRoute } from '../../analysis-route.js'
import { ApiError } from '../../api-error.js'
import type { HttpBounds } from '../../bounds.js'
import type { Services } from '../../services.js'
import { AnalysisRequestBody, SimulationReport } from './schema.js'
import { toResponse } from './to-response.js'

/** `POST /api/simulate/execute-simulation`: simulation, bytecode and history in one report. */
export function executeSimulationRoute(
  services: Pick<Services, 'answers' | 'clock' | 'config' | 'executeSimulation' | 'seals' | 'slots'>,
  bounds: HttpBounds,
): RouteOptions {
  return analysisRoute({
    services,
    bounds,
    url: '/api/simulate/execute-simulation',
    failure: 'simulation_failed',
    schema: {
      summary: 'Simulation, bytecode and history',
      body: AnalysisRequestBody,
      response: { 200: SimulationReport },
    },
    analyse: (target) => analyseBySimulation(services, target),
    isLasting: ({ checks: { simulateResult, byteCodeResult, transactionHistoryResult } }) =>
      simulateResult.inconclusive === null && byteCodeResult.complete && transactionHistoryResult.success,
  })
}

/** The body of the answer on `target`. */
export async function analyseBySimulation(
  services: Pick<Services, 'clock' | 'config' | 'executeSimulation' | 'seals'>,
  target: AnalysisTarget,
): Promise<SimulationReport> {
  const checks = await services.executeSimulation(target)
  const { simulate, bytecode, history } = checks
  // Nothing useful could be done: no node answers, or none in time.
  if (isFailed(simulate) && isFailed(bytecode) && isFailed(history)) {
    throw new ApiError('simulation_failed', { cause: new Error(simulate.errorReason) })
  }
  const { engineVersion } = services.config
  const report = toResponse(checks, { chain: target.chain, engineVersion, now: services.clock.now() })
  return services.seals.seal('simulation', target, report)
}
