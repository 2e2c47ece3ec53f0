import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { guardProcess } from '../../src/devnet/guard.js'
import { program } from '../compiled.js'

export interface ServiceProcess {
  url: string
  /** As a machine that loses its power. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/**
 * `npm start` as a process of its own, or another program with its arguments. Resolves when it
 * listens.
 */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  command: readonly string[] = [program('main')],
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ASSAY_LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  guardProcess(child)
  return {
    url: await readUrl(child),
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  }
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const entry: { msg?: string; url?: string } = JSON.parse(line)
    if (entry.msg !== 'listening' || entry.url === undefined) continue
    // What nobody reads would stop the process in the end.
    child.stdout.resume()
    return entry.url
  }
  throw new Error('the process ended before it listened')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
