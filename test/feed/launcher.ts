import { parseEther, toHex } from 'viem'
import { deploy } from '../../src/devnet/deploy.js'
import type { DevnetTransaction } from '../../src/devnet/devnet-ledger.js'
import { approve, createV2Market, type Market } from '../../src/devnet/market.js'
import type { Devnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'

/** What tests of the feed do on a chain: make tokens, and put them on sale. */
export function createLauncher({ node, chain, accounts }: Devnet) {
  const maker = accounts[0]?.address as Address

  /** Sends, and waits for the block: until it is made, the node tells the nonce before. */
  async function send({ from, to, data, value = 0n, gas = 6_000_000n }: DevnetTransaction): Promise<string> {
    const call = { from, to, data, value: toHex(value), gas: toHex(gas) }
    const receipt = await node.call<{ transactionHash: string }>('eth_sendTransactionSync', call)
    return receipt.transactionHash
  }

  async function deployAs(contract: string, args: readonly unknown[], change: (code: Hex) => Hex): Promise<Address> {
    const nonce = Number(await node.call<string>('eth_getTransactionCount', maker, 'latest'))
    const { address, transaction } = deploy(maker, nonce, contract, args)
    await send({ ...transaction, data: change(transaction.data ?? '0x') })
    return address
  }

  return {
    maker,
    send,
    /** Deploys a token; its maker has all of it. */
    make: (contract: string, args: readonly unknown[] = []) => deployAs(contract, args, (code) => code),
    /** The honest token under another name of as many bytes. */
    makeNamed: (name: string) =>
      deployAs('Clean', [], (code) => {
        const [own, other] = [toHex('Clean Example').slice(2), toHex(name).slice(2)]
        if (own.length !== other.length || !code.includes(own)) throw new Error(`${name} does not fit`)
        return code.replaceAll(own, other) as Hex
      }),
    /** Puts a token on sale: one transaction makes the pool and gives it liquidity. */
    async launch(token: Address, market: Market = createV2Market(chain), coins = '10') {
      await send(approve(maker, token, market.lister))
      return send(market.list(maker, token, parseEther('100000'), parseEther(coins)))
    },
  }
}

export type Launcher = ReturnType<typeof createLauncher>
