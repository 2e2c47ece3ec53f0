import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Config } from '../config.js'
import { ANALYSES } from '../reports/analyses.js'
import { createServices, type ServicesOptions } from '../wiring/create-services.js'

/** An engine started for one command alone. What it learned in one analysis serves the next. */
export async function openEngine(config: Config, options: ServicesOptions = {}) {
  const { services, close } = await createServices({ ...config, logLevel: 'silent' }, options)
  const { simulation, honeypot, phishing, solana } = ANALYSES
  return {
    /** All answers on one target, as the API would give them. */
    async analyse(target: AnalysisTarget) {
      const assessment = await services.assess(target)
      return {
        simulation: simulation.report(services, target, assessment),
        honeypot: honeypot.report(services, target, assessment),
        phishing: phishing.report(services, target, assessment),
      }
    },
    /** The answer on a Solana token, as the API would give it. */
    analyseSolana: async (target: SolanaTarget) =>
      solana.reportSolana(services, target, await services.checkSolanaToken(target)),
    close,
  }
}
