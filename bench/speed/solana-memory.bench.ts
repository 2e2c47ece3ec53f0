import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { report } from './measure.js'
import { HOOKED, HOSTILE, ORDINARY, openSolanaBench } from './solana-stage.js'

/** `ASSAY_BENCH_CHECKS` makes it shorter. */
const CHECKS = Number(process.env.ASSAY_BENCH_CHECKS ?? 5_000)
const LANES = 2
const WARM_UP = 200
const PARTS = 10
/** One of so many is hostile: it takes six times as long as an ordinary one, and its machine is thrown away. */
const HOSTILE_EVERY = 25

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Whether memory stays: of the process, with the virtual machines' own in it, and of the main thread's heap after a collection. Threads are
 * not replaced meanwhile, which would hide what they lose; from source each new one also keeps a copy of the TypeScript loader.
 */
export async function run(): Promise<void> {
  const bench = await openSolanaBench({ threads: LANES, runsPerThread: Number.POSITIVE_INFINITY })
  let asked = 0
  const next = () => {
    asked += 1
    const names = asked % HOSTILE_EVERY === 0 ? HOSTILE : [...ORDINARY, ...HOOKED]
    return names[Math.floor(asked / (names === HOSTILE ? HOSTILE_EVERY : 1)) % names.length] ?? ''
  }
  const askMany = async (count: number) => {
    let left = count
    const lane = async () => {
      for (; left > 0; ) {
        left -= 1
        await bench.ask(next())
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  const look = (words: string) => {
    collectGarbage()
    const { rss, heapUsed } = process.memoryUsage()
    report(`${words}: memory of the process`, rss / MEGABYTE, 'MB')
    report(`${words}: heap of the main thread`, heapUsed / MEGABYTE, 'MB')
  }
  try {
    await askMany(WARM_UP)
    look(`warm, after ${WARM_UP} checks`)
    const start = performance.now()
    for (let part = 1; part <= PARTS; part += 1) {
      await askMany(CHECKS / PARTS)
      look(`after ${Math.round((CHECKS * part) / PARTS)} more`)
    }
    report('took', (performance.now() - start) / 1_000, 's')
  } finally {
    await bench.close()
  }
}

const MEGABYTE = 1024 * 1024
