import { encodeFunctionData, keccak256, maxUint256, parseAbi, parseEther, toHex } from 'viem'
import type { DevnetTransaction } from '../../src/devnet/ledger.js'
import { approve, createV2Market } from '../../src/devnet/market.js'
import type { Devnet } from '../../src/devnet/start-devnet.js'
import { type Address, type Hex, toQuantity } from '../../src/hex.js'
import type { AbiEntry, RealContract } from './trades.js'

const GAS = 12_000_000n
const LISTED_NATIVE = parseEther('20')
const RICH = parseEther('1000000')
const erc20Abi = parseAbi(['function balanceOf(address) view returns (uint256)', 'function mint(address, uint256)'])

/** Brings contracts onto the devnet as their makers did, and opens a pool for those that are tokens somebody holds. */
export function createTokenStage({ node, chain, accounts }: Devnet) {
  const deployer = accounts[1]?.address ?? '0x'
  const market = createV2Market(chain)

  async function act({ from, to, data, value = 0n }: Omit<DevnetTransaction, 'what'>): Promise<Receipt> {
    const fields = { from, ...(to && { to }), data, value: toQuantity(value), gas: toQuantity(GAS) }
    return node.call<Receipt>('eth_sendTransactionSync', fields)
  }
  const works = async (transaction: Omit<DevnetTransaction, 'what'>) => (await act(transaction)).status === '0x1'

  async function balanceOf(token: Address, holder: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
    const answer = await node.call<Hex>('eth_call', { to: token, data }, 'latest').catch(() => '0x' as Hex)
    return answer.length < 66 ? 0n : BigInt(answer.slice(0, 66))
  }

  /** The deployer, or whoever the constructor or the code names. */
  async function findHolder(token: Address, { creation, constructorArgs }: RealContract): Promise<Address | undefined> {
    const named = [...`${creation}${constructorArgs}`.matchAll(/(?:73|0{24})([0-9a-f]{40})/g)].map(
      ([, hex]) => `0x${hex}` as Address,
    )
    for (const holder of new Set([deployer, ...named.filter((address) => BigInt(address) > 2n ** 100n), token])) {
      if ((await balanceOf(token, holder)) > 0n) return holder
    }
    return undefined
  }

  async function callOpeners(token: Address, from: Address, abi: readonly AbiEntry[]): Promise<void> {
    for (const name of abi.flatMap(openerIn)) {
      await act({ from, to: token, data: keccak256(toHex(`${name}()`)).slice(0, 10) as Hex })
    }
  }

  async function open(token: Address, holder: Address): Promise<string | undefined> {
    const amount = (await balanceOf(token, holder)) / 2n
    if (amount < 1_000_000n) return 'too few tokens to open a pool with'
    const allow = approve(holder, token, market.router, maxUint256)
    if (!(await works(allow)) && !(await works(approve(holder, token, market.router, amount))))
      return `approve ${await reason(allow)}`
    const listing = market.list(holder, token, amount, LISTED_NATIVE)
    return (await works(listing)) ? undefined : `opening a pool ${await reason(listing)}`
  }

  async function reason({ from, to, data, value = 0n }: Omit<DevnetTransaction, 'what'>): Promise<string> {
    const call = { from, ...(to && { to }), data, value: toQuantity(value), gas: toQuantity(GAS) }
    const told = await node.call('eth_call', call, 'latest').then(
      () => 'fails',
      (error: Error) => error.message.replace(/^.*?: /, ''),
    )
    return `fails: ${told}`
  }

  return {
    async list(contract: RealContract): Promise<{ token: Address } | { why: string }> {
      await node.call('anvil_setBalance', deployer, toHex(RICH))
      const args = contract.constructorArgs.replace(/^0x/, '')
      const data: Hex = contract.creation.endsWith(args) ? contract.creation : `${contract.creation}${args}`
      const { status, contractAddress: token } = await act({ from: deployer, data })
      if (status !== '0x1' || !token) return { why: `its constructor ${await reason({ from: deployer, data })}` }
      const abi = typeof contract.abi === 'string' ? (JSON.parse(contract.abi) as AbiEntry[]) : contract.abi
      const mint = encodeFunctionData({ abi: erc20Abi, functionName: 'mint', args: [deployer, parseEther('1000000')] })
      let holder = await findHolder(token, contract)
      if (!holder && abi.some(({ name }) => name === 'mint')) {
        await act({ from: deployer, to: token, data: mint })
        holder = await findHolder(token, contract)
      }
      if (!holder) return { why: 'nobody holds any of it after its deployment' }
      await node.call('anvil_impersonateAccount', holder)
      await node.call('anvil_setBalance', holder, toHex(RICH))
      let why = await open(token, holder)
      if (why) {
        await callOpeners(token, deployer, abi)
        why = await open(token, holder)
      }
      return why ? { why } : { token: token.toLowerCase() as Address }
    },
  }
}

interface Receipt {
  status: Hex
  contractAddress: Address | null
}

/** Functions without arguments whose names promise to let tokens move. Names prove nothing, but these are ordinary contracts. */
const OPENS = /open|enable|unpause|unfreeze|start|unlock|finish|finali|release|activate|resume|thaw/i

function openerIn({ type, name, inputs, stateMutability, constant }: AbiEntry): string[] {
  const isCall = type === 'function' && name !== undefined && inputs?.length === 0 && constant !== true
  return isCall && OPENS.test(name) && stateMutability !== 'view' && stateMutability !== 'pure' ? [name] : []
}
