import { describe, expect, test } from 'vitest'
import { run } from '../../src/cli/program.js'
import { hasSharedData } from '../conformance/shared-data.js'
import { readBlock } from './block-names.js'
import { type NodeMethods, startMethodNode } from './method-node.js'
import { provingMethods, type WitnessForm } from './proving-node.js'

const ETHEREUM = '21688509'
const OPTIMISM = 'op-132799000'

/** `assay replay-block` against a node with these methods. */
async function replay(methods: NodeMethods, args: readonly string[]) {
  const node = await startMethodNode(methods)
  const written: string[] = []
  const io = { env: {}, write: (text: string) => written.push(text), writeError: (text: string) => written.push(text) }
  const code = await run(['replay-block', ...args, '--rpc', node.url], io).finally(() => node.stop())
  return { code, output: written.join('') }
}

const provenBy = (name: string, form: WitnessForm = 'geth') => provingMethods(readBlock(name), form)

describe.runIf(hasSharedData())('assay replay-block', () => {
  test.each(['geth', 'reth', 'older reth'] as const)('executes a block on the state that %s proves', async (form) => {
    const { code, output } = await replay(provenBy(ETHEREUM, form), [ETHEREUM])
    expect(output).toMatch(
      /^Ethereum 21688509: 8 transactions, receiptsRoot exact, stateRoot exact, gasUsed exact, logsBloom exact, \d+ ms\n$/,
    )
    expect(code).toBe(0)
  })

  test('takes the fees for L1 from the receipts of an OP Stack node, and proves them by the state', async () => {
    const args = ['132799000', '--chain', '10']
    const methods = provenBy(OPTIMISM)
    const { output } = await replay(methods, args)
    expect(output).toMatch(/18 transactions, receiptsRoot exact, stateRoot exact, gasUsed exact/)
    const lying = { ...methods, eth_getBlockReceipts: () => readBlock(OPTIMISM).transactions.map(() => ({})) }
    const { code, output: other } = await replay(lying, args)
    expect(other).toMatch(/stateRoot: 0x[0-9a-f]{64} instead of 0x[0-9a-f]{64}/)
    expect(other).toMatch(/our execution does not come to what the header says/)
    expect(code).toBe(1)
  })

  test.each([
    ['a node without the method', { debug_executionWitness: undefined }, /does not have debug_executionWitness/],
    ['a node without the block', { eth_getBlockByNumber: headOnly }, /has no block 21688509/],
    ['a header that was changed', { eth_getBlockByNumber: changed }, /a block that has its hash/],
    ['half of a witness', { debug_executionWitness: () => ({ state: [], codes: [] }) }, /the witness does not hold/],
    ['a witness that is none', { debug_executionWitness: () => 'no' }, /expected an object/],
    ['headers of other blocks', { debug_executionWitness: otherHeaders }, /expected a field of a header/],
    [
      'an answer without end',
      { debug_executionWitness: () => ({ state: tooMany() }) },
      /expected at most 1000000 items/,
    ],
  ])('says what is wrong with %s', async (_, change, message) => {
    const methods = { ...provenBy(ETHEREUM), ...change } as NodeMethods
    const { code, output } = await replay(methods, [ETHEREUM])
    expect(output).toMatch(message)
    expect(code).toBe(1)
  })

  test.each([
    ['56', 'the validators of BSC end it with system transactions'],
    ['42161', 'ArbOS does more in it than run transactions'],
  ])('declines a block of chain %s by name, and asks the node for nothing', async (id, reason) => {
    const { code, output } = await replay({}, ['100', '--chain', id])
    expect(output).toContain(`The block cannot be replayed: ${reason}`)
    expect(code).toBe(1)
  })

  test('refuses what is no height and no chain of ours', async () => {
    expect((await replay({}, ['0x10'])).code).toBe(2)
    expect((await replay({}, ['10', '--chain', '999'])).code).toBe(2)
  })
})

const plain = (height: unknown) => provenBy(ETHEREUM).eth_getBlockByNumber?.([height])

function headOnly([height]: readonly unknown[]) {
  return height === 'latest' ? plain('latest') : null
}

function changed([height]: readonly unknown[]) {
  return height === 'latest' ? plain('latest') : { ...(plain('latest') as object), gasUsed: '0x1' }
}

const otherHeaders = () => ({ state: [], codes: [], headers: ['0xc0', '0x80'] })

const tooMany = () => new Array(1_000_001).fill('0x')
