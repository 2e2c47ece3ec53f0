import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRUST_STATUSES, type TrustStatus } from '../../src/checks/levels.js'
import { readConfig } from '../../src/config.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { type Assessment, createAssess } from '../../src/reports/assess.js'
import { neverKinder } from '../../src/reports/never-kinder.js'
import { createServices, type OwnedServices } from '../../src/wiring/create-services.js'
import { someOf } from '../some-of.js'
import { threadsOfWorker } from '../threads-of-worker.js'
import { type FaultProxy, startFaultProxy } from './fault-proxy.js'

/**
 * A trap, a later trap, one in its owner's hands, one that is fine, and a swindle that is no token.
 */
const EXAMPLES = ['sell-blocked', 'rising-tax', 'owner-can-close', 'clean', 'drainer']
/** As long as a request may take here before it is told to stop. */
const DEADLINE_MS = 1_500

/**
 * Every kind of answer of the node comes too late, in turn: the verdict must never look better for
 * it, and must say so.
 */
/** Methods of the node, one in so many for each example. */
const SHARE = 10

describe('a node that is late', () => {
  let devnet: Devnet
  let proxy: FaultProxy
  let owned: OwnedServices
  let methods: string[]
  const quiet = new Map<string, Assessment>()
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-late-'))

  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1, examples: EXAMPLES })
    proxy = await startFaultProxy(devnet.url)
    owned = await createServices(
      readConfig({ ASSAY_RPC_1: proxy.url, ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'fatal' }),
      { threads: threadsOfWorker() },
    )
    for (const { name, targetContractAddress: address } of devnet.examples) {
      // At a new block, so that nothing is known and every kind of question is asked.
      await devnet.node.call('evm_mine')
      quiet.set(name, await owned.services.assess({ chain: devnet.chain, address }))
    }
    methods = [...new Set(proxy.seen.calls.map(({ method }) => method))]
  }, 120_000)
  afterAll(async () => {
    proxy?.inject()
    await owned?.close()
    await proxy?.close()
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('the quiet run is whole, and asks the node in several ways', () => {
    expect(methods.length).toBeGreaterThan(3)
    for (const [name, { verdict }] of quiet) expect([name, verdict.inconclusive]).toEqual([name, undefined])
  })

  test.each(EXAMPLES)(
    '%s never looks better, whichever answer is late',
    async (name) => {
      const { chain, examples } = devnet
      const address = examples.find((each) => each.name === name)?.targetContractAddress ?? '0x'
      const before = quiet.get(name) ?? expect.unreachable()
      const complaints: string[] = []
      // What a service that has judged it before says, without the memory of answers at one block.
      const assess = createAssess(owned.checks, { onFailure: () => {}, reviews: [neverKinder()] })
      let known = false
      for (const method of someOf(methods, SHARE, EXAMPLES.indexOf(name))) {
        if (!known) await assess({ chain, address })
        known = true
        await devnet.node.call('evm_mine')
        proxy.inject({ name: 'never answers', method, exchange: () => {} })
        const { verdict, ...parts } = await assess({ chain, address, signal: AbortSignal.timeout(DEADLINE_MS) })
        proxy.inject()
        const isMissing = Object.values(parts).some((part) => typeof part === 'object' && 'failed' in part)
        if (verdict.score < before.verdict.score)
          complaints.push(`${method}: ${verdict.score} < ${before.verdict.score}`)
        if (rank(verdict.level) < rank(before.verdict.level)) complaints.push(`${method}: ${verdict.level}`)
        if (isMissing && verdict.inconclusive === undefined) complaints.push(`${method}: not inconclusive`)
      }
      expect(complaints).toEqual([])
    },
    180_000,
  )

  test('a service that has never seen the token names what is missing, and blames no one', async () => {
    const { chain, examples } = devnet
    const address = examples.find((each) => each.name === 'clean')?.targetContractAddress ?? '0x'
    const assess = createAssess(owned.checks, { onFailure: () => {} })
    for (const method of someOf(methods, SHARE, EXAMPLES.length)) {
      await devnet.node.call('evm_mine')
      proxy.inject({ name: 'never answers', method, exchange: () => {} })
      const { verdict } = await assess({ chain, address, signal: AbortSignal.timeout(DEADLINE_MS) })
      proxy.inject()
      if (verdict.inconclusive === undefined) expect(verdict.level).toBe(quiet.get('clean')?.verdict.level)
      else expect(rank(verdict.level), method).toBe(rank('Medium Risk'))
    }
  }, 180_000)
})

const rank = (level: TrustStatus) => TRUST_STATUSES.indexOf(level)
