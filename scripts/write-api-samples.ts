import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readConfig } from '../src/config.js'
import { startDevnet } from '../src/devnet/start-devnet.js'
import { issueKey } from '../src/keys/issue.js'
import { startService } from '../src/wiring/start-service.js'

/** The page whose samples are written, and what each of them answers, in the order of the page. */
const PAGE = resolve(import.meta.dirname, '../docs/api.md')
const EXAMPLE = 'taxed'
const PATHS = ['/api/simulate/execute-simulation', '/api/honeypot/honeypot-checks']

/** Lists that the page shows the beginning of. The rest is more of the same. */
const SHOWN: Readonly<Record<string, number>> = {
  calls: 1,
  logs: 1,
  selectors: 3,
  recentTransfers: 1,
  holders: 1,
  conditions: 1,
  known: 2,
  saleSizes: 2,
}

/** Writes the answers on an example of the demo into docs/api.md, as a client receives them. */
const dataDir = mkdtempSync(join(tmpdir(), 'assay-samples-'))
const devnet = await startDevnet({ chainId: 1, examples: [EXAMPLE] })
const env = { HOST: '127.0.0.1', PORT: '0', ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'error', ASSAY_RPC_1: devnet.url }
const service = await startService(readConfig(env))
try {
  const { key } = await issueKey(
    { store: service.keyStore, clock: service.clock },
    { label: 'samples', tier: 'partner' },
  )
  const samples: string[] = []
  for (const path of PATHS) {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ targetContractAddress: devnet.examples[0]?.targetContractAddress, chainId: 1 }),
    })
    samples.push(JSON.stringify(await response.json(), shorten, 2))
  }
  let at = 0
  const page = readFileSync(PAGE, 'utf8').replace(/```json\n.*?```/gs, () => `\`\`\`json\n${samples[at++]}\n\`\`\``)
  if (at !== samples.length) throw new RangeError(`${PAGE} has ${at} samples, not ${samples.length}`)
  writeFileSync(PAGE, page)
} finally {
  await service.stop()
  await devnet.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function shorten(name: string, value: unknown): unknown {
  const shown = SHOWN[name]
  // Frames inside a frame are left out: the first one shows what a frame is.
  if (name === 'calls' && Array.isArray(value)) return value.slice(0, 1).map(({ calls: _, ...frame }) => frame)
  return shown !== undefined && Array.isArray(value) ? value.slice(0, shown) : value
}
