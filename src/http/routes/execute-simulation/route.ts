import type { RouteOptions } from 'fastify'
import { isFailed } from '../../../checks/settle.js'
import type { AnalysisTarget } from '../../../checks/target.js'
import { type Assessment, isTrap, partOf } from '../../../reports/assess.js'
import type { RenderServices } from '../../analysis-parts.js'
import { type AnalysisRouteParts, analysisRoute } from '../../analysis-route.js'
import { ApiError } from '../../api-error.js'
import { AnalysisRequestBody, SimulationReport } from './schema.js'
import { toResponse } from './to-response.js'

/** `POST /api/simulate/execute-simulation`: simulation, bytecode and history in one report. */
export function executeSimulationRoute(parts: AnalysisRouteParts): RouteOptions {
  return analysisRoute({
    ...parts,
    name: 'simulation',
    schema: {
      summary: 'Simulation, bytecode and history',
      body: AnalysisRequestBody,
      response: { 200: SimulationReport },
    },
  })
}

/** The body of the answer on `target`. */
export function renderSimulation(
  { clock, config: { engineVersion }, seals }: RenderServices,
  target: AnalysisTarget,
  assessment: Assessment,
): SimulationReport {
  const checks = partOf(assessment, 'simulation')
  const { simulate, bytecode, history } = checks
  // Nothing useful could be done: no node answers, or none in time.
  if (isFailed(simulate) && isFailed(bytecode) && isFailed(history)) {
    throw new ApiError('simulation_failed', { cause: new Error(simulate.errorReason) })
  }
  const context = { chain: target.chain, engineVersion, now: clock.now(), isHoneypot: isTrap(assessment) }
  return seals.seal('simulation', target, toResponse(checks, assessment, context))
}
