import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, bytesToHex, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import type { BlockFile } from '../../src/replay-blocks/block-file.js'
import { UnknownStateError } from '../../src/state/witness.js'
import type { Witness } from './async-witness.js'

/** A plain node with one block: methods that every node has, and no other. */
export interface WitnessNode {
  url: string
  /**
   * What was asked for and is not held, in order, each once. Each was answered with an error that
   * names it.
   */
  refused(): readonly string[]
  stop(): Promise<void>
}

interface Call {
  id: number
  method: string
  params: readonly unknown[]
}

/**
 * Serves a witness over HTTP. The head is the block itself, its state that from before its
 * transactions. Whatever the witness does not prove is an error, so that nothing is ever judged on
 * a guess.
 */
export async function startWitnessNode(file: BlockFile, witness: Witness): Promise<WitnessNode> {
  const refused = new Set<string>()
  const answer = async (call: Call): Promise<object> => {
    const method = METHODS[call.method]
    if (!method)
      return {
        jsonrpc: '2.0',
        id: call.id,
        error: { code: -32_601, message: `the method ${call.method} is not available` },
      }
    try {
      return { jsonrpc: '2.0', id: call.id, result: await method(file, witness, call.params) }
    } catch (error) {
      if (!(error instanceof UnknownStateError)) throw error
      refused.add(error.what)
      return { jsonrpc: '2.0', id: call.id, error: { code: -32_000, message: `missing trie node: ${error.message}` } }
    }
  }
  const answerAll = (body: Call | Call[]): Promise<object> =>
    Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body)
  const server = createServer((request, response) => {
    readBody(request)
      .then(answerAll)
      .then(
        (reply) => response.setHeader('content-type', 'application/json').end(JSON.stringify(reply)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    refused: () => [...refused],
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Method = (file: BlockFile, witness: Witness, params: readonly unknown[]) => unknown

const METHODS: Record<string, Method> = {
  eth_chainId: ({ chainId }) => toQuantity(chainId),
  eth_blockNumber: ({ number }) => number,
  eth_getBlockByNumber: (file, witness, [block]) =>
    block === 'latest' || block === toQuantity(BigInt(file.number)) ? toBlock(file) : olderBlock(witness, block),
  eth_getBlockByHash: (file, _, [hash]) => (hash === hashOf(file) ? toBlock(file) : null),
  eth_getBalance: async (_, witness, [address]) => toQuantity((await witness.account(address as Address)).balance),
  eth_getTransactionCount: async (_, witness, [address]) =>
    toQuantity((await witness.account(address as Address)).nonce),
  eth_getCode: async (_, witness, [address]) => bytesToHex(await witness.code(address as Address)),
  eth_getStorageAt: async (_, witness, [address, slot]) =>
    toPaddedHex(await witness.storage(address as Address, BigInt(slot as Hex)), 32),
}

const hashOf = ({ header, expectedBlockHash }: BlockFile) => expectedBlockHash ?? header.hash

const toBlock = (file: BlockFile) => ({
  ...file.header,
  hash: hashOf(file),
  miner: file.header.coinbase,
  transactions: [],
  uncles: [],
})

/** Of blocks before it, the hash is all that a witness can hold. */
async function olderBlock(witness: Witness, block: unknown) {
  const number = BigInt(block as Hex)
  throw new UnknownStateError(`the header of block ${number}, hash ${await witness.blockHash(number)}`)
}

async function readBody(request: IncomingMessage): Promise<Call | Call[]> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
