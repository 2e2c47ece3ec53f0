import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Config } from '../config.js'
import { analyseBySimulation } from '../http/routes/execute-simulation/route.js'
import { analyseAsHoneypot } from '../http/routes/honeypot-checks/route.js'
import { analyseAsPhishing } from '../http/routes/phishing-checks/route.js'
import { analyseAsSolana } from '../http/routes/solana-token-checks/route.js'
import { createServices } from '../wiring/create-services.js'

/** An engine started for one command alone. What it learned in one analysis serves the next. */
export async function openEngine(config: Config) {
  const { services, close } = await createServices({ ...config, logLevel: 'silent' })
  return {
    /** All answers on one target, as the API would give them. */
    async analyse(target: AnalysisTarget) {
      const { onProgress: _, ...quiet } = target
      const [simulation, honeypot, phishing] = await Promise.all([
        analyseBySimulation(services, target),
        analyseAsHoneypot(services, quiet),
        analyseAsPhishing(services, quiet),
      ])
      return { simulation, honeypot, phishing }
    },
    /** The answer on a Solana token, as the API would give it. */
    analyseSolana: (target: SolanaTarget) => analyseAsSolana(services, target),
    close,
  }
}
