import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { findFreePort } from '../../src/cli/free-port.js'
import { guardProcess } from '../../src/devnet/guard.js'

/** A Redis of one test's, that forgets all when it is killed. */
export interface OwnRedis {
  url: string
  /** Resolves when it answers. */
  start(): Promise<void>
  /** As a machine that loses its power. */
  kill(): Promise<void>
}

/** Whether a Redis can be started here. Throws where it must. */
export function hasRedisServer(): boolean {
  const isThere = spawnSync('redis-server', ['--version']).status === 0
  if (!isThere && process.env.CI === 'true') throw new Error('no redis-server')
  return isThere
}

export async function createOwnRedis(): Promise<OwnRedis> {
  const port = await findFreePort()
  const url = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  return {
    url,
    async start() {
      const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/']
      child = spawn('redis-server', args, { stdio: 'ignore' })
      guardProcess(child)
      const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 100 })
      redis.on('error', () => {})
      await redis.ping()
      redis.disconnect()
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
