import { median, report } from './measure.js'
import { HOOKED, HOSTILE, ORDINARY, openSolanaBench } from './solana-stage.js'

const SAMPLES = 40
/** As many as the bench of memory: by then most of what is often run has been compiled. */
const WARM_UP = 200
/** Milliseconds of processor time. */
const TARGETS = { first: 400, 'ordinary token': 15, 'token with a hook': 40 } as const
const missed = (ms: number, target: number) => (ms > target ? `MISSED, target ${target}` : `target ${target}`)

/** CPU of this process and its threads (the node is another process): what one check costs. */
export async function run(): Promise<void> {
  const bench = await openSolanaBench({ threads: 1 })
  const cpuOf = bench.ask
  try {
    const first = await cpuOf('plain')
    report('first check, threads and programs cold', first, 'ms CPU', missed(first, TARGETS.first))
    const all = [...ORDINARY, ...HOOKED]
    for (let i = 0; i < WARM_UP; i += 1) await bench.ask(all[i % all.length] ?? '')
    for (const [group, names] of [
      ['ordinary token', ORDINARY],
      ['token with a hook', HOOKED],
    ] as const) {
      const times: number[] = []
      for (let i = 0; i < SAMPLES; i += 1) times.push(await cpuOf(names[i % names.length] ?? ''))
      const sorted = [...times].sort((a, b) => a - b)
      report(`warm check, ${group}: p50`, median(times), 'ms CPU', missed(median(times), TARGETS[group]))
      report(`warm check, ${group}: p95`, sorted[Math.floor(sorted.length * 0.95)] ?? 0, 'ms CPU')
    }
    for (const name of HOSTILE) report(name, await cpuOf(name), 'ms CPU', 'survived')
  } finally {
    await bench.close()
  }
}
