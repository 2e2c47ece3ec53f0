import { type Hex, hexToBytes, toPaddedHex, toQuantity, ZERO_ADDRESS } from '../../src/hex.js'
import { keccak256 } from '../../src/keccak.js'
import type { BlockFile } from '../../src/replay-blocks/block-file.js'
import { encodeRlp, quantityBytes } from '../../src/rlp.js'
import type { NodeMethods } from './method-node.js'

type Json = Record<string, unknown>

/** How nodes write witnesses: geth, reth, and reth's older releases. */
export type WitnessForm = 'geth' | 'reth' | 'older reth'

/**
 * The methods of a node that proves the block of a file. The files lack some fields of the header,
 * so that this one has another hash than on its chain, and so has its parent.
 */
export function provingMethods(file: BlockFile, form: WitnessForm): NodeMethods {
  const parent = toHeader({ number: toQuantity(BigInt(file.number) - 1n), stateRoot: file.preStateRoot })
  const block = {
    ...toHeader({ ...file.header, miner: file.header.coinbase, parentHash: parent.hash }),
    transactions: file.transactions.map(toTransaction),
    withdrawals: file.withdrawals?.map(({ address, amountGwei }) => ({ address, amount: amountGwei })),
    uncles: [],
  }
  return {
    eth_chainId: () => toQuantity(file.chainId),
    eth_getBlockByNumber: ([height]) =>
      height === 'latest' || height === block.number ? block : height === parent.number ? parent : null,
    eth_getBlockReceipts: () => file.transactions.map(({ l1Fee }) => (l1Fee ? { l1Fee } : {})),
    debug_executionWitness: () => toWitness(file, parent, form),
  }
}

const EMPTY_LIST_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const NO_HASH = toPaddedHex(0n, 32)
const FIELDS = [
  ['parentHash', NO_HASH],
  ['sha3Uncles', EMPTY_LIST_HASH],
  ['miner', ZERO_ADDRESS],
  ['stateRoot', NO_HASH],
  ['transactionsRoot', NO_HASH],
  ['receiptsRoot', NO_HASH],
  ['logsBloom', toPaddedHex(0n, 256)],
  ['difficulty', '0x0'],
  ['number', '0x0'],
  ['gasLimit', '0x1c9c380'],
  ['gasUsed', '0x0'],
  ['timestamp', '0x1'],
  ['extraData', '0x'],
  ['mixHash', NO_HASH],
  ['nonce', '0x0000000000000000'],
] as const
const LATER = ['baseFeePerGas', 'withdrawalsRoot', 'blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot']
const NUMBERS = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'excessBlobGas']

type NodeHeader = Record<string, Hex> & { hash: Hex; number: Hex }

function toHeader(given: Record<string, Hex | undefined>): NodeHeader {
  const all = { ...Object.fromEntries(FIELDS), ...given } as NodeHeader
  const fields = [...FIELDS.map(([name]) => name), ...LATER.filter((name) => given[name] !== undefined)]
  const header = Object.fromEntries(fields.map((name) => [name, all[name]])) as NodeHeader
  return { ...header, hash: keccak256(encodeHeader(header)) }
}

function encodeHeader(header: Record<string, Hex>): Uint8Array {
  const fields = Object.entries(header).filter(([name]) => name !== 'hash')
  return encodeRlp(
    fields.map(([name, value]) => (NUMBERS.includes(name) ? quantityBytes(BigInt(value)) : hexToBytes(value))),
  )
}

function toTransaction({ type, from, request, deposit }: BlockFile['transactions'][number]): Json {
  const { to = null, data, ...fields } = (request ?? deposit) as Json
  // What it paid in the end stands beside what it offered.
  const price = { gasPrice: request?.gasPrice ?? '0x1' }
  return { ...fields, type: toQuantity(type), from, to, input: data, gas: request?.gasLimit ?? deposit?.gas, ...price }
}

function toWitness({ nodes, codes }: BlockFile, parent: NodeHeader, form: WitnessForm): Json {
  if (form === 'geth') return { headers: [parent], codes, state: nodes }
  const headers = [`0x${Buffer.from(encodeHeader(parent)).toString('hex')}`]
  if (form === 'reth') return { state: nodes, codes, keys: [], headers }
  const byHash = (values: readonly Hex[]) =>
    Object.fromEntries(values.map((value) => [keccak256(hexToBytes(value)), value]))
  return { state: byHash(nodes), codes: byHash(codes), keys: {} }
}
