import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { RULES } from '../devnet/solana/examples/token-rules.js'
import { startSolanaDevnet } from '../devnet/solana/start-solana-devnet.js'
import { type Devnet, startDevnet } from '../devnet/start-devnet.js'
import { run } from './program.js'

const account2 = '0x00000000000000000000000000000000000a11cf'

describe('assay check', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1, examples: ['sell-blocked'] })
  })
  afterAll(async () => {
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function assay(...args: string[]) {
    let [out, err] = ['', '']
    const code = await run(args, {
      env: { ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir },
      readInput: async () => '# nothing',
      threads: threadsOfWorker(),
      write: (text) => {
        out += text
      },
      writeError: (text) => {
        err += text
      },
    })
    return { code, out, err }
  }
  const target = () => devnet.examples[0]?.targetContractAddress ?? ''

  test('prints a report that a person can take in', async () => {
    const { code, out, err } = await assay('check', target(), '--chain', '1')
    expect({ code, err }).toEqual({ code: 40, err: '' })
    expect(out).toContain(`${target()} on Ethereum`)
    expect(out).toContain('Do not buy (Critical Risk, 100 of 100, 0 is best): It can be bought and not sold.')
    expect(out).toContain('HONEYPOT. Sell reverted in the token: Trading is not open for you')
    expect(out).toMatch(/7 Days +buy 0 %, sell 100 %, risk 100/)
    expect(out).not.toContain('\u001b')
  })

  test('--json prints one line with the answers of the interface', async () => {
    const { code, out } = await assay('check', target(), '--chain', '1', '--json')
    expect(code).toBe(40)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    const { simulation, honeypot } = JSON.parse(out)
    expect(simulation).toMatchObject({ success: true, checks: { simulateResult: { isHoneypot: true } } })
    expect(honeypot).toMatchObject({ success: true, honeypotResponse: { isHoneypot: true, riskScore: 100 } })
  })

  test('tells a person how far it is, and a program nothing', async () => {
    const steps = async (progress: boolean) => {
      let err = ''
      const writeError = (text: string) => {
        err += text
      }
      const env = { ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir }
      await run(['check', target(), '--chain', '1'], {
        env,
        progress,
        write: () => {},
        writeError,
        threads: threadsOfWorker(),
      })
      return err
    }
    expect((await steps(true)).match(/[✔✘] \w+/g)?.toSorted()).toEqual(
      ['✔ block', '✔ bytecode', '✔ history', '✔ honeypot', '✔ phishing', '✔ simulate'].toSorted(),
    )
    expect(await steps(false)).toBe('')
    // Two engines, one after the other.
  }, 60_000)

  test('several addresses are judged one after the other, and the worst decides', async () => {
    const account = '0x00000000000000000000000000000000000a11ce'
    const { code, out, err } = await assay('check', account, target(), '--chain', 'ethereum', '--json')
    expect({ code, err }).toEqual({ code: 40, err: '' })
    const isHoneypot = (line: string) => JSON.parse(line).honeypot.honeypotResponse.isHoneypot
    expect(out.trimEnd().split('\n').map(isHoneypot)).toEqual([false, true])
  })

  test('- reads addresses from the standard input, and --fail-on calms what is below', async () => {
    const account = '0x00000000000000000000000000000000000a11ce'
    const listed = async (list: string, ...more: string[]) => {
      let out = ''
      const code = await run(['check', '-', '--chain', 'eth', '--rpc-url', devnet.url, '--json', ...more], {
        env: { ASSAY_RPC_1: 'http://127.0.0.1:1', ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir },
        readInput: async () => list,
        threads: threadsOfWorker(),
        write: (text) => {
          out += text
        },
        writeError: () => {},
      })
      return { code, lines: out.trimEnd().split('\n').length }
    }
    expect(await listed(`# what I hold\n${account}\n\n${account} # twice\n`)).toEqual({ code: 20, lines: 1 })
    expect(await listed(target(), '--fail-on', 'critical')).toEqual({ code: 40, lines: 1 })
    expect(await listed(account, '--fail-on', 'high')).toEqual({ code: 0, lines: 1 })
  })

  test('of a list the rest is judged where one fails', async () => {
    const { code, err } = await assay('check', target(), account2, '--chain', '1', '--rpc-url', 'http://127.0.0.1:1')
    expect(code).toBe(1)
    expect(err).toContain(`assay: ${target()}: `)
    expect(err).toContain(`assay: ${account2}: `)
    expect(err).toMatch(/2 of 2 could not be judged/)
  })

  test('--watch looks until it is told to stop', async () => {
    const lines: string[] = []
    let stop = () => {}
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const code = await run(['check', target(), '--chain', '1', '--json', '--watch', '5'], {
      env: { ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir },
      threads: threadsOfWorker(),
      write: (text) => {
        lines.push(text)
        stop()
      },
      writeError: () => {},
      untilStopped: () => stopped,
    })
    expect(code).toBe(40)
    expect(lines.map((line) => JSON.parse(line).honeypot.honeypotResponse.isHoneypot)).toEqual([true])
  })

  test.each([
    [
      'a pause that is too short',
      ['check', '0xdac17f958d2ee523a2206206994597c13d831ec7', '--chain', '1', '--watch', '1'],
    ],
    ['a malformed address', ['check', '0x12', '--chain', '1']],
    ['a wrong checksum', ['check', '0xDAC17F958D2ee523a2206206994597C13D831eC7', '--chain', '1']],
    ['an unknown chain', ['check', '0xdac17f958d2ee523a2206206994597c13d831ec7', '--chain', '137']],
    ['a malformed address on Solana', ['check', '0xdac17f958d2ee523a2206206994597c13d831ec7', '--chain', 'SOL']],
    ['a level that is none', ['check', account2, '--chain', '1', '--fail-on', 'bad']],
    ['no time at all', ['check', account2, '--chain', '1', '--timeout', '0']],
    ['an empty list', ['check', '-', '--chain', '1']],
    ['no chain', ['check', '0xdac17f958d2ee523a2206206994597c13d831ec7']],
  ])('%s is a usage error, said in a line', async (_, args) => {
    const { code, out, err } = await assay(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/error: /)
  })

  test('a Solana token has a report of its own', async () => {
    const solana = await startSolanaDevnet({ examples: RULES.filter(({ name }) => name === 'scheduled fee') })
    const mint = solana.examples[0]?.address ?? ''
    const asked = async (...more: string[]) => {
      let out = ''
      const env = { ASSAY_RPC_SOL: solana.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir }
      const write = (text: string) => {
        out += text
      }
      const code = await run(['check', mint, '--chain', 'SOL', ...more], {
        env,
        write,
        writeError: write,
        threads: threadsOfWorker(),
      })
      return { code, out }
    }
    try {
      const { code, out } = await asked()
      expect({ code, out }).toEqual({ code: 40, out: expect.stringContaining(`${mint} on Solana`) })
      expect(out).toMatch(/7 Days +buy 99 %, sell 99 %, risk 97/)
      expect(JSON.parse((await asked('--json')).out)).toMatchObject({ honeypotResponse: { isTimeHoneypot: true } })
    } finally {
      await solana.stop()
    }
  })

  test('a node that cannot be reached is a failure, said in a line with its cause', async () => {
    let err = ''
    const code = await run(['check', '0xdac17f958d2ee523a2206206994597c13d831ec7', '--chain', '1'], {
      env: { ASSAY_RPC_1: 'http://127.0.0.1:1', ASSAY_DATA_DIR: dataDir },
      write: () => {},
      writeError: (text) => {
        err += text
      },
    })
    expect(code).toBe(1)
    expect(err).toMatch(/^assay: Chain state is not available.*could not be reached/)
    expect(err).not.toContain('127.0.0.1')
  })
})
