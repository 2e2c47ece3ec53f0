import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { type Devnet, startDevnet } from '../devnet/start-devnet.js'
import { run } from './program.js'
import type { AnalysisTrace } from './trace-command.js'

/** Hashes 32 KB again and again, until a bound ends it. */
const COSTLY = '0x5b61800060002050600056'
const COSTLY_ADDRESS = `0x${'0'.repeat(32)}bad00000`

describe('assay trace', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1, examples: ['clean'] })
    await devnet.node.call('anvil_setCode', COSTLY_ADDRESS, COSTLY)
    await devnet.node.call('evm_mine')
  })
  afterAll(async () => {
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function assay(...args: string[]) {
    let [out, err] = ['', '']
    const code = await run(['trace', ...args], {
      env: { ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir },
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

  test('tells of each simulation what it fetched, round by round, and that it ended well', async () => {
    const target = devnet.examples[0]?.targetContractAddress ?? ''
    const { code, out, err } = await assay(target, '--chain', '1')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`${target.toLowerCase()} on Ethereum\n`)
    expect(out).toMatch(/^roundTrip: done, \d+ rounds? of fetching, \d+ ms/m)
    expect(out).toMatch(/^judgeCode: done, \d+ rounds? of fetching/m)
    expect(out).toMatch(/^ {2}round 1: (\d+ accounts, )?\d+ slots in \d+ ms \(0x[\da-f]{40}/m)
    expect(out).toMatch(/^simulation: made, honeypot: made, phishing: made$/m)
    expect(out).not.toContain('met the bound')
  })

  test('--json prints one line, with the bound that costly code met', async () => {
    const { code, out } = await assay(COSTLY_ADDRESS, '--chain', '1', '--json')
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    const { simulations, simulationsLeftOut, parts }: AnalysisTrace = JSON.parse(out)
    expect(simulationsLeftOut).toBe(0)
    expect(Object.keys(parts)).toEqual(['simulation', 'honeypot', 'phishing'])
    expect(simulations.map(({ ended }) => ended)).toContainEqual({ how: 'resisted', bound: expect.any(String) })
  })

  test.each([
    ['a malformed address', ['0x12', '--chain', '1']],
    ['a chain that is not judged', [COSTLY_ADDRESS, '--chain', '137']],
    ['Solana, which has no rounds of this kind', [COSTLY_ADDRESS, '--chain', 'SOL']],
  ])('%s is a usage error, said in a line', async (_, args) => {
    const { code, out, err } = await assay(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/error: /)
  })
})
