import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WalletRequest } from '../../src/checks/wallet-request.js'
import { mappingSlot } from '../../src/dex/mapping-slot.js'
import { type Address, toPaddedHex } from '../../src/hex.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function claim(address token)',
  'function stakeAll()',
  'function setApprovalForAll(address operator, bool approved)',
  'function transferFrom(address from, address to, uint256 id)',
])
const ID = 77n
const UNUSED: Address = '0x00000000000000000000000000000000c0ffee01'

let stage: PhishingOnDevnet
let addresses: Map<string, Address>
let usdc: Address
let owner: Address
let nft: Address
beforeAll(async () => {
  stage = await startPhishingOnDevnet()
  addresses = await stage.deployAll('0.8.30')
  const { chain, accounts, node } = stage.devnet
  usdc = chain.watchedTokens[1]?.address ?? '0x'
  owner = accounts[3]?.address ?? '0x'
  nft = at('ProbeNft')
  // Who owns which number is the first mapping of the contract.
  const slot = toPaddedHex(mappingSlot(0n, ID), 32)
  await node.call('anvil_setStorageAt', nft, slot, toPaddedHex(BigInt(owner), 32))
  await node.call('evm_mine')
})
afterAll(() => stage?.stop())

const at = (name: string) => addresses.get(name) ?? '0x'
const ask = (wallet: WalletRequest, address: Address) => stage.check(address, { wallet })
const approve = (spender: Address) => encodeFunctionData({ abi, functionName: 'approve', args: [spender, maxUint256] })

test('an approval and a claim that takes all of it are a drain', async () => {
  const claim = encodeFunctionData({ abi, functionName: 'claim', args: [usdc] })
  const trap = at('ApproveFirstClaim')
  const calls = [
    { to: usdc, data: approve(trap) },
    { to: trap, data: claim },
  ]
  const report = await ask({ calls }, usdc)
  expect(report.wallet).toMatchObject({ success: true, leaves: [{ token: usdc, counterparty: stage.operator }] })
  expect(report.findings.map(({ id }) => id)).toContain('wallet-drain')
  expect(report.riskScore).toBeGreaterThanOrEqual(40)
})

test('all that there is may go where it is kept', async () => {
  const calls = [
    { to: usdc, data: approve(at('Staking')) },
    { to: at('Staking'), data: encodeFunctionData({ abi, functionName: 'stakeAll' }) },
  ]
  const report = await ask({ calls }, usdc)
  expect(report.wallet).toMatchObject({ success: true, leaves: [{ token: usdc, counterparty: at('Staking') }] })
  expect(report.findings.map(({ id }) => id)).not.toContain('wallet-drain')
})

test('an NFT that leaves is told with its number and its receiver', async () => {
  const calldata = encodeFunctionData({ abi, functionName: 'transferFrom', args: [owner, UNUSED, ID] })
  const { wallet } = await ask({ from: owner, calldata }, nft)
  expect(wallet).toMatchObject({ success: true, arrives: [] })
  expect(wallet?.leaves).toMatchObject([{ token: nft, id: ID, amount: 1n, counterparty: UNUSED }])
})

test('who may take every NFT is judged', async () => {
  const operate = (operator: Address) =>
    encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [operator, true] })
  const bad = await ask({ from: owner, calldata: operate(at('NftPuller')) }, nft)
  expect(bad.findings.map(({ id }) => id)).toEqual(['spender-phishing'])
  const good = await ask({ from: owner, calldata: operate(at('Exchange')) }, nft)
  expect([good.verdict, good.findings]).toEqual(['SAFE', []])
})
