import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { threadsOfWorker } from '../../test/threads-of-worker.js'
import { createBytecodeJudge } from '../checks/bytecode/bytecode-judge.js'
import { detectors } from '../checks/bytecode/detectors/index.js'
import { createSystemClock } from '../clock.js'
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js'
import { openState } from '../state/rpc-state-source.js'
import { readContract } from './artifacts.js'
import { examplePlans } from './examples.js'
import { type Devnet, startDevnet } from './start-devnet.js'

const ROOT = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/devnet.md', ROOT), 'utf8')
const contracts = readdirSync(new URL('contracts/generated/', ROOT)).map((file) =>
  readContract(file.replace('.json', '')),
)
const tagOf = (contractName: string, tag: string) => {
  const text = readContract(contractName).devdoc[`custom:${tag}`]
  return typeof text === 'string' ? text.split(',').map((word) => word.trim()) : []
}

const kebab = (name: string) => name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()
const fixtures = contracts.filter(({ devdoc }) => devdoc['custom:example'] !== undefined)

test('each example is explained in the documentation, in the words of its report', () => {
  const missing = examplePlans.filter(({ name, summary }) => !page.includes(`| \`${name}\` | ${summary} |`))
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('each contract that is an example bears the name of the example', () => {
  for (const { contractName, devdoc } of fixtures) {
    expect(devdoc['custom:example']).toBe(kebab(contractName))
    expect(examplePlans.map(({ name }) => name)).toContain(kebab(contractName))
  }
})

test('what contracts expect of detectors names detectors that exist', () => {
  const known = detectors.map(({ id }) => id)
  for (const { contractName } of contracts) {
    expect(known).toEqual(expect.arrayContaining([...tagOf(contractName, 'expect'), ...tagOf(contractName, 'ignore')]))
  }
})

test('no two examples share a name', () => {
  expect(new Set(examplePlans.map(({ name }) => name)).size).toBe(examplePlans.length)
})

describe('the bytecode of the examples', () => {
  let devnet: Devnet
  let rpc: RpcClient
  const bytecodeJudge = createBytecodeJudge({ threads: threadsOfWorker().codes })

  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1 })
    rpc = createRpcClient({ urls: [devnet.url], chainId: 1, clock: createSystemClock() })
  })
  afterAll(async () => {
    await bytecodeJudge.close()
    await rpc.close()
    await devnet.stop()
  })

  const judge = async (name: string) => {
    const address = devnet.examples.find((example) => example.name === name)?.targetContractAddress ?? '0x'
    const state = await openState({ suspect: 'chain', rpc, chain: devnet.chain })
    return bytecodeJudge.judge({ state, address, chain: devnet.chain })
  }

  test.each(examplePlans.map(({ name, expect: expected }) => ({ name, expected })))(
    '$name is judged as expected',
    async ({ name, expected }) => {
      const { isContract, riskFlags } = await judge(name)
      const titles = riskFlags.map(({ title }) => title)
      expect(isContract).toBe(expected.isContract)
      expect(titles).toEqual(expect.arrayContaining([...expected.riskTitles]))
      expect(titles.filter((title) => expected.absentRiskTitles.includes(title))).toEqual([])
    },
  )

  test.each(fixtures.map(({ contractName }) => contractName))(
    '%s raises the flags that it is documented to raise',
    async (contractName) => {
      const found = (await judge(kebab(contractName))).riskFlags.map(({ id }) => id)
      expect(found).toEqual(expect.arrayContaining(tagOf(contractName, 'expect')))
      expect(found.filter((id) => tagOf(contractName, 'ignore').includes(id))).toEqual([])
    },
  )
})
