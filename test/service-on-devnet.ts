import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../src/clock.js'
import { readConfig } from '../src/config.js'
import { type Devnet, type DevnetOptions, startDevnet } from '../src/devnet/start-devnet.js'
import { HTTP_BOUNDS } from '../src/http/bounds.js'
import { issueKey } from '../src/keys/issue.js'
import type { ServicesOptions } from '../src/wiring/create-services.js'
import { startService } from '../src/wiring/start-service.js'
import { threadsOfWorker } from './threads-of-worker.js'

export interface ServiceOnDevnet {
  devnet: Devnet
  url: string
  /** Where the metrics are, when the settings ask for them. */
  metricsUrl: string | undefined
  key: string
  clock: Clock
  /**
   * Asks over HTTP with a key that has room for a test's requests; again, where the machine was too
   * busy for a whole answer.
   */
  post<Answer>(
    path: string,
    targetContractAddress: string,
    more?: { blockNumber?: number; only?: boolean },
  ): Promise<Answer>
  addressOf(example: string): string
  stop(): Promise<void>
}

export interface ServiceOnDevnetOptions {
  /** Further settings. */
  env?: Readonly<Record<string, string>>
  /** What the service believes to be its nodes, instead of the devnet itself. */
  nodeUrls?(devnetUrl: string): Promise<readonly string[]>
  /** Those of the worker, when absent. */
  threads?: ServicesOptions['threads']
}

/** More than a test asks in a minute. */
const ROOMY = { analysis: 10_000, general: 10_000 }

/** A machine is busy for so long at most. */
const MAX_ASKED = 5

/** What a busy machine takes for an answer is not what these tests are about. */
export const PATIENT = { ...HTTP_BOUNDS, analysisMs: 120_000, turnMs: 60_000 }

/** The whole service, as `npm start` runs it, on a devnet of its own. */
export async function startServiceOnDevnet(
  options: DevnetOptions,
  { nodeUrls, env: more = {}, threads = threadsOfWorker() }: ServiceOnDevnetOptions = {},
): Promise<ServiceOnDevnet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  const devnet = await startDevnet(options)
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'fatal',
    ASSAY_MAX_HEAD_AGE: '0',
    // Chance is not to decide how often a test's node is asked.
    ASSAY_SECOND_OPINIONS: '0',
    ...more,
  }
  const service = await startService(
    readConfig({ ...env, [`ASSAY_RPC_${options.chainId}`]: (await nodeUrls?.(devnet.url))?.join() ?? devnet.url }),
    PATIENT,
    { threads },
  )
  const { keyStore: store, clock } = service
  const { key } = await issueKey({ store, clock }, { label: 'test', tier: 'partner', limits: ROOMY })
  return {
    devnet,
    url: service.url,
    metricsUrl: service.metricsUrl,
    key,
    clock,
    async post<Answer>(
      path: string,
      targetContractAddress: string,
      more: { blockNumber?: number; only?: boolean } = {},
    ) {
      const ask = async () => {
        const response = await fetch(`${service.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ targetContractAddress, chainId: options.chainId, ...more }),
        })
        return response.text()
      }
      let answer = await ask()
      for (let i = 1; i < MAX_ASKED && answer.includes('"machine_busy"'); i += 1) answer = await ask()
      return JSON.parse(answer) as Answer
    },
    addressOf(name) {
      const example = devnet.examples.find((each) => each.name === name)
      if (!example) throw new Error(`this devnet has no example ${name}`)
      return example.targetContractAddress
    },
    async stop() {
      await service.stop()
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
