import { startRunThreads } from '../src/simulation/simulator.js'
import { startSvmThreads } from '../src/solana/svm/engine.js'
import type { ServiceThreads } from '../src/wiring/create-services.js'

let running: ServiceThreads | undefined

/**
 * The threads of all services that the files of a worker start: one that has loaded and compiled
 * what it plays does an analysis in a fraction of the time. They end with the worker. A test of
 * threads themselves, or whose code may hold them, lets its service start its own.
 */
export function threadsOfWorker(): ServiceThreads {
  running ??= { trades: startRunThreads(), codes: startRunThreads({ threads: 1 }), solana: startSvmThreads() }
  return running
}
