import type { HoneypotReport } from '../checks/honeypot/check-honeypot.js'
import type { SimulationChecks } from '../checks/simulation-checks.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { KeyVerifier } from '../keys/verify.js'
import type { Limiter } from '../limits/limiter.js'
import type { Slots } from '../limits/slots.js'
import type { Log } from './log.js'

/** Everything that the routes need from the outside world. Each route names the parts it uses. */
export interface Services {
  config: Pick<Config, 'compat' | 'engineVersion' | 'trustProxy'>
  clock: Clock
  log: Log
  keys: Pick<KeyVerifier, 'verify'>
  limiter: Limiter
  /** Bounds the analyses that run and wait. */
  slots: Slots
  /** What must answer for the service to be of use, by name. Each rejects when it does not. */
  dependencies: Readonly<Record<string, () => Promise<void>>>
  /** Simulation, bytecode and history of one target. Rejects when no check could begin, for instance because no node answers. */
  executeSimulation(target: AnalysisTarget): Promise<SimulationChecks>
  /** Taxes and traps of one target now and in later windows. Rejects when no node answers. */
  checkHoneypot(target: AnalysisTarget): Promise<HoneypotReport>
}
