import { concatHex, encodeAbiParameters, getContractAddress, keccak256, parseEther, toHex } from 'viem'
import { createLedger, type DevnetTransaction } from '../../src/devnet/devnet-ledger.js'
import { approve, createV2Market } from '../../src/devnet/market.js'
import type { Devnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'

/** A token to be put on sale: the address of a V2 router is its constructor's only argument. */
export interface Offer {
  name: string
  creationCode: Hex
  /** Functions without arguments that the owner calls after the listing. */
  after: readonly string[]
}

/** Of each token's million. */
const LISTED = parseEther('800000')
const LISTED_NATIVE = parseEther('20')
const DEPLOYER_BALANCE = parseEther('1000000')
const DEPLOYMENT_GAS = 6_000_000n
const CALL_GAS = 200_000n

/**
 * Deploys the tokens and lists each on the chain's first V2 exchange, by ordinary transactions.
 * Their addresses, in the order of the offers.
 */
export async function listAll({ node, chain, accounts }: Devnet, offers: readonly Offer[]): Promise<Address[]> {
  const deployer = accounts[0]?.address
  if (!deployer) throw new RangeError('the devnet has no account')
  const head = await node.call<{ timestamp: Hex; gasLimit: Hex }>('eth_getBlockByNumber', 'latest', false)
  await node.call('evm_setAutomine', false)
  await node.call('anvil_setBalance', deployer, toHex(DEPLOYER_BALANCE))
  const market = createV2Market(chain)
  const argument = encodeAbiParameters([{ type: 'address' }], [market.router])
  let nonce = BigInt(await node.call<Hex>('eth_getTransactionCount', deployer, 'latest'))
  const listed = offers.map(({ name, creationCode, after }) => {
    const token = getContractAddress({ from: deployer, nonce }).toLowerCase() as Address
    const transactions: DevnetTransaction[] = [
      { what: `deploy ${name}`, from: deployer, data: concatHex([creationCode, argument]), gas: DEPLOYMENT_GAS },
      approve(deployer, token, market.router),
      { ...market.list(deployer, token, LISTED, LISTED_NATIVE), what: `list ${name}`, gas: 2_000_000n },
      ...after.map((call) => ({
        ...{ what: `${name}.${call}`, from: deployer, to: token, gas: CALL_GAS },
        data: keccak256(toHex(`${call}()`)).slice(0, 10) as Hex,
      })),
    ]
    nonce += BigInt(transactions.length)
    return { token, transactions }
  })
  const first = Number(nonce) - listed.flatMap(({ transactions }) => transactions).length
  const ledger = createLedger(node, { gasLimit: BigInt(head.gasLimit), nonces: new Map([[deployer, first]]) })
  await ledger.mine(
    Number(head.timestamp) + 1,
    listed.flatMap(({ transactions }) => transactions),
  )
  await node.call('evm_mine')
  await node.call('evm_setAutomine', true)
  return listed.map(({ token }) => token)
}
