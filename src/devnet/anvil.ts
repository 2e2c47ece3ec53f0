import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { BaseError, type BaseErrorOptions } from '../errors.js'
import { guardProcess, letParentExit } from './guard.js'
import { createDevnetHome, removeDevnetHome } from './home.js'

export interface AnvilOptions {
  chainId: number
  /** Timestamp of the first block, in seconds. */
  genesisTimestamp?: number
  gasLimit?: bigint
  baseFeePerGas?: bigint
  /** How many funded, unlocked accounts the node has. */
  accountCount?: number
}

export interface Anvil {
  url: string
  pid: number
  /** Ends the process and waits until it is gone. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts anvil on a port that the system chooses. The process dies with this one and leaves no
 * file, however this one ends: by `stop`, on exit, or killed by a guard process that notices (not
 * on Windows, which has no `sh`).
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const binary = findAnvilBinary()
  const home = createDevnetHome()
  const child = spawn(binary, anvilArguments(options), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing else of the environment concerns it.
    env: { HOME: home, USERPROFILE: home, TMPDIR: home },
    // A process group of its own: Ctrl-C reaches this process first, which then decides when the
    // node goes.
    detached: process.platform !== 'win32',
  })
  const kill = () => {
    child.kill('SIGKILL')
    removeDevnetHome(home)
  }
  guardProcess(child, home)
  process.once('exit', kill)
  child.once('exit', () => {
    process.off('exit', kill)
    removeDevnetHome(home)
  })
  const port = await readPort(child).catch((error) => {
    kill()
    throw error
  })
  letParentExit(child)

  const url = `http://127.0.0.1:${port}`
  await silence(url)
  return { url, pid: child.pid ?? 0, stop: () => stop(child) }
}

/** Measured at 50 ms on an idle machine; a loaded one is given the benefit of the doubt. */
const START_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 5_000

/**
 * The newest rule set that Ethereum runs; every supported chain has adopted it (see `hardforks` in
 * `src/chains`).
 */
const HARDFORK = 'osaka'

/**
 * Blocks whose state can be asked for, as many as geth keeps. They are kept in memory (1 MB each
 * after 5,000 blocks) and none on disk, where anvil would otherwise write the whole state of every
 * block.
 */
const STATES_KEPT = 128

function anvilArguments({ chainId, genesisTimestamp, gasLimit, baseFeePerGas, accountCount }: AnvilOptions): string[] {
  const optional = (flag: string, value: bigint | number | undefined) => (value === undefined ? [] : [flag, `${value}`])
  return [
    ...['--host', '127.0.0.1', '--port', '0', '--chain-id', `${chainId}`, '--hardfork', HARDFORK],
    // First come, first mined: a block holds its transactions in the order they were sent.
    ...['--order', 'fifo'],
    ...['--prune-history', `${STATES_KEPT}`],
    ...optional('--timestamp', genesisTimestamp),
    ...optional('--gas-limit', gasLimit),
    ...optional('--block-base-fee-per-gas', baseFeePerGas),
    ...optional('--accounts', accountCount),
  ]
}

const PLATFORM_PACKAGES: Record<string, string> = {
  'linux x64': '@foundry-rs/anvil-linux-amd64',
  'linux arm64': '@foundry-rs/anvil-linux-arm64',
  'darwin x64': '@foundry-rs/anvil-darwin-amd64',
  'darwin arm64': '@foundry-rs/anvil-darwin-arm64',
  'win32 x64': '@foundry-rs/anvil-win32-amd64',
}

/** The binary itself, not npm's wrapper around it: a wrapper would be what `stop` kills. */
export function findAnvilBinary(platform: string = process.platform, arch: string = process.arch): string {
  const name = PLATFORM_PACKAGES[`${platform} ${arch}`]
  if (!name) {
    const supported = Object.keys(PLATFORM_PACKAGES).join(', ')
    throw new AnvilUnavailableError(
      `The devnet needs anvil, which exists for ${supported}, but not for ${platform} ${arch}`,
    )
  }
  const { resolve } = createRequire(import.meta.url)
  try {
    return join(dirname(resolve(`${name}/package.json`)), 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw new AnvilUnavailableError(
      `The devnet needs ${name}, which comes with a clone of the repository and not with the package: npm ci && npm run demo there`,
      { cause },
    )
  }
}

/** Reads the port from the line that anvil prints once it accepts connections. */
function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = ''
    let complaint = ''
    const fail = (what: string, cause?: unknown) =>
      reject(new AnvilUnavailableError(`anvil ${what}`, { cause, details: complaint.slice(0, MAX_COMPLAINT) }))
    const timer = setTimeout(() => fail(`did not start within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS)
    child.once('error', (cause) => fail('could not be started', cause))
    child.once('exit', (code, signal) => fail(`ended while starting (${signal ?? code})`))
    child.stderr?.on('data', (chunk) => {
      if (complaint.length < MAX_COMPLAINT) complaint += chunk
    })
    // Stays attached, because a full pipe would halt the node.
    child.stdout?.on('data', (chunk) => {
      if (printed.length > MAX_BANNER) return
      printed += chunk
      const port = /Listening on [^\s]*:(\d+)/.exec(printed)?.[1]
      if (!port) return
      printed = ''
      clearTimeout(timer)
      resolve(Number(port))
    })
    child.once('exit', () => clearTimeout(timer))
  })
}

/** The banner lists all accounts and keys, about 120 characters each. */
const MAX_BANNER = 1_000_000
const MAX_COMPLAINT = 2_000

/** anvil prints the port only when it may print, so it is told to be quiet afterwards. */
async function silence(url: string): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [false] }),
    signal: AbortSignal.timeout(START_TIMEOUT_MS),
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, STOP_TIMEOUT_MS)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.ref()
    // Nothing of it is worth keeping, and a graceful end would only take longer.
    child.kill('SIGKILL')
  })
}

/** anvil is not there, or did not come up. */
export class AnvilUnavailableError extends BaseError {
  override readonly name = 'AnvilUnavailableError'

  constructor(shortMessage: string, options: BaseErrorOptions = {}) {
    super(shortMessage, { docs: 'docs/devnet.md', ...options })
  }
}
