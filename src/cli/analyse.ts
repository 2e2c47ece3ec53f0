import type { AnalysisTarget } from '../checks/target.js'
import type { Config } from '../config.js'
import { toResponse as toSimulationResponse } from '../http/routes/execute-simulation/to-response.js'
import { toResponse as toHoneypotResponse } from '../http/routes/honeypot-checks/to-response.js'
import { createServices } from '../services.js'

/** Both answers on one target, as the API would give them, from an engine started for this purpose alone. */
export async function analyse(config: Config, target: AnalysisTarget) {
  const { services, clock, close } = await createServices({ ...config, logLevel: 'silent' })
  try {
    const [checks, honeypot] = await Promise.all([services.executeSimulation(target), services.checkHoneypot(target)])
    const { engineVersion } = config
    return {
      simulation: toSimulationResponse(checks, { chain: target.chain, engineVersion, now: clock.now() }),
      honeypot: toHoneypotResponse(honeypot, { engineVersion }),
    }
  } finally {
    await close()
  }
}
