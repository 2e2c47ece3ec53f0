import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.js'
import { type Hex, toQuantity } from '../../src/hex.js'
import { type BlockFile, blockOf, witnessOf } from '../../src/replay-blocks/block-file.js'
import { contradictions, replayBlock } from '../../src/replay-blocks/replay-block.js'
import { hasSharedData } from '../conformance/shared-data.js'
import { readBlock } from './block-names.js'
import { replayChain } from './witness-chains.js'

/*
 * A replay that is exact proves something only where a block that never was is not exact: each word
 * that a block says of itself is changed here, and must be noticed.
 */

const CANCUN = '21688509'
const PRAGUE = '22615247'
const OPTIMISM = 'op-132799000'

type Json = Record<string, unknown>
type Change = (file: BlockFile & { header: Json; transactions: Json[] }) => void

/** What of the changed block is contradicted, or why it cannot be one. */
function noticed(name: string, change: Change): readonly string[] {
  const file = structuredClone(readBlock(name))
  change(file as unknown as Parameters<Change>[0])
  try {
    return contradictions(
      blockOf(file, replayChain(file.chainId)),
      replayBlock(blockOf(file, replayChain(file.chainId)), witnessOf(file)),
    )
  } catch (error) {
    // Anything else would be an error of ours.
    if (!(error instanceof BaseError)) throw error
    return [error.message]
  }
}

const PRICES = ['gasPrice', 'maxPriorityFeePerGas', 'maxFeePerGas']

function changeRequest(transaction: Json | undefined, change: (request: Json) => Json): void {
  const request = transaction?.request as Json
  Object.assign(request, change(request))
}

const more = (value: unknown): Hex => toQuantity(BigInt(value as Hex) + 1n)
const flipped = (value: unknown) => (value as Hex).replace(/.$/, (last) => (last === '1' ? '2' : '1')) as Hex

describe.runIf(hasSharedData())('a block that never was', () => {
  test.each([
    [CANCUN, 'coinbase'],
    [CANCUN, 'baseFeePerGas'],
    [CANCUN, 'timestamp'],
    [CANCUN, 'gasUsed'],
    [CANCUN, 'stateRoot'],
    [CANCUN, 'receiptsRoot'],
    [CANCUN, 'logsBloom'],
    [CANCUN, 'parentBeaconBlockRoot'],
    [PRAGUE, 'parentHash'],
    [PRAGUE, 'parentBeaconBlockRoot'],
    [OPTIMISM, 'coinbase'],
    [OPTIMISM, 'baseFeePerGas'],
    [OPTIMISM, 'parentBeaconBlockRoot'],
  ])('%s with another %s', (name, field) => {
    const change: Change = ({ header }) => {
      header[field] = /Root|Hash|Bloom|coinbase/.test(field) ? flipped(header[field]) : more(header[field])
    }
    expect(noticed(name, change)).not.toEqual([])
  })

  test('each transaction with another word, or not there', () => {
    const count = readBlock(CANCUN).transactions.length
    const changes: [string, (request: Json) => Json][] = [
      ['value', ({ value }) => ({ value: more(value ?? '0x0') })],
      ['nonce', ({ nonce }) => ({ nonce: more(nonce) })],
      ['data', ({ data }) => ({ data: `${data ?? '0x'}01` })],
      ['to', ({ to }) => ({ to: flipped(to) })],
      ['from', ({ from }) => ({ from: flipped(from) })],
      [
        'price',
        (request) => Object.fromEntries(PRICES.flatMap((name) => (request[name] ? [[name, more(request[name])]] : []))),
      ],
    ]
    const missed: string[] = []
    for (let index = 0; index < count; index += 1) {
      for (const [name, change] of changes)
        if (noticed(CANCUN, ({ transactions }) => changeRequest(transactions[index], change)).length === 0)
          missed.push(`${name} of ${index}`)
      if (noticed(CANCUN, ({ transactions }) => void transactions.splice(index, 1)).length === 0)
        missed.push(`${index} itself`)
    }
    expect(missed).toEqual([])
  })

  test('its transactions in another order', () => {
    expect(noticed(CANCUN, ({ transactions }) => void transactions.reverse())).not.toEqual([])
  })

  test.each([
    [
      'a withdrawal more',
      (file) => void Object.assign(file, { withdrawals: [...(file.withdrawals ?? []), file.withdrawals?.[0]] }),
    ],
    ['no withdrawals', (file) => void Object.assign(file, { withdrawals: [] })],
    [
      'code that is not what its hash says',
      (file) => void Object.assign(file, { codes: file.codes.map((code) => `${code}00`) }),
    ],
    ['a state root of another state', (file) => void Object.assign(file, { preStateRoot: flipped(file.preStateRoot) })],
  ] satisfies [string, Change][])('%s', (_, change) => {
    expect(noticed(PRAGUE, change)).not.toEqual([])
  })

  test.each([
    [
      'fees for L1',
      ({ transactions }) => {
        for (const each of transactions) if (each.l1Fee) each.l1Fee = more(each.l1Fee)
      },
    ],
    [
      'no fees for L1',
      ({ transactions }) => {
        for (const each of transactions) delete each.l1Fee
      },
    ],
    [
      'what its deposit says',
      ({ transactions }) => void Object.assign(transactions[0]?.deposit as Json, { data: '0x' }),
    ],
    [
      'what its deposit mints',
      ({ transactions }) => void Object.assign(transactions[0]?.deposit as Json, { mint: '0x1' }),
    ],
  ] satisfies [string, Change][])('of the OP Stack, with other %s', (_, change) => {
    expect(noticed(OPTIMISM, change)).not.toEqual([])
  })
})

describe.runIf(hasSharedData())('the same block in other words', () => {
  test.each([
    [
      'what is empty left out',
      (file) => {
        for (const { request } of file.transactions as { request?: Json }[])
          for (const [name, value] of Object.entries(request ?? {}))
            if (value === '0x' || value === '0x0' || (Array.isArray(value) && value.length === 0))
              if (name !== 'nonce') delete request?.[name]
      },
    ],
    [
      'null for what is absent',
      (file) => {
        for (const { request } of file.transactions as { request?: Json }[])
          for (const name of [
            'to',
            'gasPrice',
            'maxFeePerGas',
            'maxPriorityFeePerGas',
            'value',
            'maxFeePerBlobGas',
            'accessList',
            'authorizationList',
            'blobVersionedHashes',
          ])
            if (request && request[name] === undefined) request[name] = null
      },
    ],
    [
      'nodes and code in another order, some twice',
      (file) => {
        Object.assign(file, {
          nodes: [...file.nodes, ...file.nodes.slice(0, 9)].reverse(),
          codes: [...file.codes, ...file.codes].reverse(),
        })
      },
    ],
    [
      'numbers with zeros in front',
      ({ header }) => {
        for (const name of ['baseFeePerGas', 'timestamp', 'gasLimit', 'gasUsed'])
          header[name] = `0x000${String(header[name]).slice(2)}`
      },
    ],
    [
      'the name of another fork, and another hash',
      (file) => void Object.assign(file, { fork: 'frontier', blobBaseFee: '0x7' }),
    ],
  ] satisfies [string, Change][])('%s', (_, change) => {
    for (const name of [CANCUN, PRAGUE, OPTIMISM]) expect(noticed(name, change)).toEqual([])
  })
})
