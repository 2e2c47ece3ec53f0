import { RLP } from '@ethereumjs/rlp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { createDevnetNode } from '../devnet/node.js'
import { keccak256 } from '../keccak.js'
import { isHeaderProven } from './header-hash.js'

let anvil: Anvil
let block: Record<string, unknown>

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  const node = createDevnetNode(anvil.url)
  await node.call('anvil_mine', '0x90')
  block = await node.call('eth_getBlockByNumber', '0x85', false)
})
afterAll(() => anvil.stop())

test("a node's own header has its hash", () => expect(isHeaderProven(block)).toBe(true))

test.each([
  'parentHash',
  'miner',
  'number',
  'timestamp',
  'gasLimit',
  'baseFeePerGas',
  'mixHash',
  'excessBlobGas',
  'hash',
])('a changed %s is noticed', (field) => {
  const text = String(block[field])
  const changed = text.endsWith('1') ? text.replace(/1$/, '2') : text.replace(/.$/, '1')
  expect(isHeaderProven({ ...block, [field]: changed })).toBe(false)
})

test('Ethereum block 1, from before all later fields', () => {
  const header = {
    hash: '0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6',
    parentHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    miner: '0x05a56e2d52c817161883f50c441c3228cfe54d9f',
    stateRoot: '0xd67e4d450343046425ae4271474353857ab860dbc0a1dde64b41b5cd3a532bf3',
    transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: '0x3ff800000',
    number: '0x1',
    gasLimit: '0x1388',
    gasUsed: '0x0',
    timestamp: '0x55ba4224',
    extraData: '0x476574682f76312e302e302f6c696e75782f676f312e342e32',
    mixHash: '0x969b900de27b6ac6a67742365dd65f55a0526c41fd18e1b16f1a1215c2e66f59',
    nonce: '0x539bd4979fef1ec4',
  }
  expect(isHeaderProven(header)).toBe(true)
})

test('the fields of Amsterdam: the hash of the access list, then the slot', () => {
  const later = { ...block, blockAccessListHash: `0x${'ab'.repeat(32)}`, slotNumber: '0xac6000' }
  const names = [
    ...'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number'.split(' '),
    ...'gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed'.split(' '),
    ...'excessBlobGas parentBeaconBlockRoot requestsHash blockAccessListHash slotNumber'.split(' '),
  ]
  const numbers = /^(difficulty|number|gas|timestamp|base|blobGas|excess|slot)/
  const fields = names.map((name) => String((later as Record<string, unknown>)[name]))
  const encoded = RLP.encode(fields.map((hex, i) => (numbers.test(names[i] ?? '') ? BigInt(hex) : hex)))
  expect(isHeaderProven({ ...later, hash: keccak256(encoded) })).toBe(true)
  expect(isHeaderProven({ ...later, slotNumber: '0xac6001', hash: keccak256(encoded) })).toBe(false)
})

test.each([null, [], {}, 'x', { hash: '0x' }])('%s is no header', (value) => expect(isHeaderProven(value)).toBe(false))
