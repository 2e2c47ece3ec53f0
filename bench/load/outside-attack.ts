import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Attack } from '../../test/neighbours/hostile-callers.js'

/**
 * The same attack from a process of its own, which gives way to every other: what an attacker's machine spends on an attack is not what it takes of the
 * service.
 */
export function fromOutside({ name }: Attack): Attack {
  return {
    name,
    async run(stage, signal) {
      const child = fork(join(import.meta.dirname, 'attacker.ts'))
      const ended = once(child, 'exit')
      const end = () => child.kill('SIGKILL')
      process.once('exit', end)
      child.send({ name, stage })
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      await ended
      process.off('exit', end)
      if (!signal.aborted) throw new Error(`the attacker ended before its time: ${name}`)
    },
  }
}
