import {
  type Abi,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  keccak256,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSolc } from '../../test/run-solc.js'
import { createSystemClock } from '../clock.js'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { createDevnetNode } from '../devnet/node.js'
import type { Address, Hex } from '../hex.js'
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js'
import { createCallNode } from '../wiring/create-call-node.js'
import { createMemoryAccountStore } from './memory-account-store.js'
import { createSignIn, SignInError } from './sign-in.js'

/** A wallet that one key speaks for, who makes it, and contracts that answer otherwise. */
const SOURCE = `
pragma solidity ^0.8.20;
contract Wallet {
  address immutable owner;
  constructor(address by) { owner = by; }
  function isValidSignature(bytes32 hash, bytes calldata s) external view returns (bytes4) {
    address by = ecrecover(hash, uint8(s[64]), bytes32(s[0:32]), bytes32(s[32:64]));
    return by == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}
contract Factory {
  function make(address owner) external returns (address) { return address(new Wallet{salt: 0}(owner)); }
}
contract Fallback { fallback() external payable {} }
contract SaysYesToAnything { fallback(bytes calldata) external returns (bytes memory) { return abi.encode(uint256(1)); } }
contract Reverts { fallback() external { revert("no"); } }
contract BurnsItsGas { fallback() external { while (true) {} } }
`

const ORIGIN = 'https://assay.example'
const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const ERC6492_SUFFIX: Hex = `0x${'6492'.repeat(16)}`

interface Compiled {
  abi: Abi
  evm: { bytecode: { object: string } }
}

let anvil: Anvil
let rpc: RpcClient
let contracts: Record<string, Compiled>
let deploy: (name: string, args?: readonly unknown[]) => Promise<Address>

beforeAll(async () => {
  const output = runSolc('solc', {
    language: 'Solidity',
    sources: { 'Wallets.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }) as { contracts: Record<string, Record<string, Compiled>> }
  contracts = output.contracts['Wallets.sol'] ?? {}
  anvil = await startAnvil({ chainId: 1 })
  rpc = createRpcClient({ urls: [anvil.url], chainId: 1, clock: createSystemClock() })
  const node = createDevnetNode(anvil.url)
  const [from] = await node.call<Address[]>('eth_accounts')
  deploy = async (name, args = []) => {
    const hash = await node.call<Hex>('eth_sendTransaction', { from, data: initCodeOf(name, args) })
    await node.call('evm_mine')
    const { contractAddress } = await node.call<{ contractAddress: Address }>('eth_getTransactionReceipt', hash)
    return contractAddress
  }
})
afterAll(async () => {
  await rpc.close()
  await anvil.stop()
})

function initCodeOf(name: string, args: readonly unknown[]): Hex {
  const contract = contracts[name]
  if (!contract) throw new Error(`no contract ${name}`)
  return encodeDeployData({ abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}`, args })
}

/** Signs in as the contract at `address`, with what `by` makes of the message. */
async function signInAs(address: Address, by: (message: string) => Promise<Hex>): Promise<string> {
  const signIn = createSignIn({
    store: createMemoryAccountStore(),
    clock: createSystemClock(),
    origins: [ORIGIN],
    callNode: createCallNode(new Map([[1, rpc]])),
  })
  const { message = '' } = await signIn.begin({ host: undefined, chain: '1', address })
  return signIn.finish({ message, signature: await by(message) }).then(
    ({ wallet }) => wallet,
    (error: unknown) => (error instanceof SignInError ? error.reason : String(error)),
  )
}

test('ERC-1271: the contract answers for its owner, and is known by chain and address', async () => {
  const wallet = await deploy('Wallet', [owner.address])
  expect(await signInAs(wallet, (message) => owner.signMessage({ message }))).toBe(`eip155:1:${wallet.toLowerCase()}`)
  expect(await signInAs(wallet, (message) => stranger.signMessage({ message }))).toBe('signature')
})

test.each(['Fallback', 'SaysYesToAnything', 'Reverts', 'BurnsItsGas'])(
  'a contract that does not answer as it must: %s',
  async (name) => {
    const address = await deploy(name)
    expect(await signInAs(address, (message) => owner.signMessage({ message }))).toBe('signature')
  },
)

test('an address without code is its key alone, whatever the node is asked', async () => {
  const mirrored = async (message: string) => {
    const signature = await owner.signMessage({ message })
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
    return `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex
  }
  expect(await signInAs(owner.address, mirrored)).toBe('signature')
  expect(await signInAs(owner.address, (message) => stranger.signMessage({ message }))).toBe('signature')
})

test('ERC-6492: a wallet that is not deployed yet', async () => {
  const factory = await deploy('Factory')
  const wallet = getContractAddress({
    opcode: 'CREATE2',
    from: getAddress(factory),
    salt: `0x${'00'.repeat(32)}`,
    bytecodeHash: keccak256(initCodeOf('Wallet', [owner.address])),
  })
  const make = encodeFunctionData({ abi: contracts.Factory?.abi ?? [], functionName: 'make', args: [owner.address] })
  const wrap = (by: typeof owner) => async (message: string) => {
    const parts = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
    return concatHex([encodeAbiParameters(parts, [factory, make, await by.signMessage({ message })]), ERC6492_SUFFIX])
  }
  expect(await signInAs(wallet, wrap(owner))).toBe(`eip155:1:${wallet.toLowerCase()}`)
  expect(await signInAs(wallet, wrap(stranger))).toBe('signature')
})
