import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Config } from '../config.js'
import { renderSimulation } from '../http/routes/execute-simulation/route.js'
import { renderHoneypot } from '../http/routes/honeypot-checks/route.js'
import { renderPhishing } from '../http/routes/phishing-checks/route.js'
import { analyseAsSolana } from '../http/routes/solana-token-checks/route.js'
import { createServices } from '../wiring/create-services.js'

/** An engine started for one command alone. What it learned in one analysis serves the next. */
export async function openEngine(config: Config) {
  const { services, close } = await createServices({ ...config, logLevel: 'silent' })
  return {
    /** All answers on one target, as the API would give them. */
    async analyse(target: AnalysisTarget) {
      const assessment = await services.assess(target)
      return {
        simulation: renderSimulation(services, target, assessment),
        honeypot: renderHoneypot(services, target, assessment),
        phishing: renderPhishing(services, target, assessment),
      }
    },
    /** The answer on a Solana token, as the API would give it. */
    analyseSolana: (target: SolanaTarget) => analyseAsSolana(services, target),
    close,
  }
}
