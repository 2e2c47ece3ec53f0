import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../../test/neighbours/hostile-callers.js'

/**
 * The same attack from a process of its own, which gives way to every other: what an attacker's
 * machine spends on an attack is not what it takes of the service. A process that ends before its
 * time is replaced, and it is said.
 */
export function fromOutside({ name }: Attack): Attack {
  return {
    name,
    async run(stage, signal) {
      while (!signal.aborted) {
        const child = fork(join(import.meta.dirname, 'attacker.ts'))
        const ended = once(child, 'exit')
        const end = () => child.kill('SIGKILL')
        process.once('exit', end)
        signal.addEventListener('abort', end, { once: true })
        child.send({ name, stage })
        const [code, by] = await ended
        process.off('exit', end)
        signal.removeEventListener('abort', end)
        if (signal.aborted) return
        process.stderr.write(`the attacker ended before its time (${code ?? by}): ${name}\n`)
        await sleep(AGAIN_MS)
      }
    },
  }
}

const AGAIN_MS = 1_000
