import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDevnet } from '../../src/devnet/start-devnet.js'
import { compileService, residentMbOf, startService } from '../service-process.js'
import { median, report } from '../speed/measure.js'

const ROUNDS = 9
/** Long enough for what a start puts off. */
const IDLE_MS = 2_000
const ASK_EVERY_MS = 5
const LONGEST_START_MS = 30_000
/** Milliseconds until `/ready` says so, and megabytes of a service that was asked nothing. */
const TARGET_MS = 800
const TARGET_MB = 120

/** How soon a service can do its work, and what it holds until it is asked. */
export async function run(): Promise<void> {
  compileService()
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const starts: { readyMs: number; idleMb: number }[] = []
  try {
    // The first reads the compiled files into the machine's memory.
    for (let round = 0; round <= ROUNDS; round += 1) starts.push(await measureStart(devnet.url))
  } finally {
    await devnet.stop()
  }
  const measured = starts.slice(1)
  const readyMs = median(measured.map((start) => start.readyMs))
  const idleMb = median(measured.map((start) => start.idleMb))
  report('ready after', readyMs, 'ms', `median of ${ROUNDS}${readyMs > TARGET_MS ? ', MISSED' : ''}`)
  report('resident memory until it is asked', idleMb, 'MB', idleMb > TARGET_MB ? 'MISSED' : '')
}

async function measureStart(nodeUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-start-'))
  const start = performance.now()
  const service = await startService({ nodes: { 1: nodeUrl }, dataDir })
  try {
    while (!(await fetch(`${service.url}/ready`)).ok) {
      if (performance.now() - start > LONGEST_START_MS) throw new Error('the service is never ready')
      await sleep(ASK_EVERY_MS)
    }
    const readyMs = performance.now() - start
    await sleep(IDLE_MS)
    return { readyMs, idleMb: residentMbOf(service.pid) }
  } finally {
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
