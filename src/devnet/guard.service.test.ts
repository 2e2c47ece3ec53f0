import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { compiled } from '../../test/compiled.js'

const PARENT = `
const { spawn } = await import('node:child_process')
const { guardProcess } = await import(process.argv[1])
const forever = ['-e', 'setInterval(() => {}, 1000)']
const [guarded, alone] = [0, 1].map(() => spawn(process.execPath, forever, { stdio: 'ignore', detached: true }))
guardProcess(guarded)
console.log(JSON.stringify([guarded.pid, alone.pid]))
setInterval(() => {}, 1000)
`

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a guarded process ends with a parent that is killed; one without a guard would stay', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, compiled('src/devnet/guard.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [chunk] = await once(parent.stdout, 'data')
  const [guarded, alone]: [number, number] = JSON.parse(`${chunk}`)
  expect([isAlive(guarded), isAlive(alone)]).toEqual([true, true])
  parent.kill('SIGKILL')
  for (let tries = 0; tries < 600 && isAlive(guarded); tries += 1) await wait(50)
  const left = [isAlive(guarded), isAlive(alone)]
  process.kill(alone, 'SIGKILL')
  expect(left).toEqual([false, true])
})
