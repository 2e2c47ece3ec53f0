import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whose a home is stands in its name: the process that started the node. */
const PREFIX = 'assay-devnet-'
const OWNER = new RegExp(`^${PREFIX}(\\d+)-`)

/**
 * An empty folder for one node, in place of the user's home folder. anvil writes under
 * `~/.foundry`, and what is written there stays: tens of gigabytes after some hours of tests. Homes
 * of processes that are gone are removed on this occasion.
 *
 * @throws Error of the file system when the temporary folder cannot be written
 */
export function createDevnetHome(): string {
  sweepDevnetHomes()
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Removes the homes whose process is gone. The home of a live process is never touched. */
function sweepDevnetHomes(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = OWNER.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) removeDevnetHome(join(tmpdir(), name))
  }
}

/**
 * Takes some milliseconds. A home that cannot be removed (another user's) stays, which harms
 * nothing.
 */
export function removeDevnetHome(home: string): void {
  try {
    rmSync(home, { recursive: true, force: true })
  } catch {}
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process may be asked about and refuses: it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
