import { encodeFunctionData, keccak256, parseEther, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POLICY_REGISTRY } from '../../src/checks/native-tokens/b20.js'
import { judgeB20 } from '../../src/checks/native-tokens/judge-b20.js'
import { createReadB20 } from '../../src/checks/native-tokens/read-b20.js'
import { readContract } from '../../src/devnet/artifacts.js'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../../src/hex.js'
import type { HoneypotReportBody } from '../../src/reports/honeypot/schema.js'
import type { SimulationReport } from '../../src/reports/simulation/schema.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import { listOnV2 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'
import { place } from './place.js'

const FRIEND: Address = '0x00000000000000000000000000000000f00d1e55'
const CUSTODIAN: Address = '0x000000000000000000000000000000000c057000'
const SENDERS = keccak256(stringToHex('TRANSFER_SENDER_POLICY'))
/** The kind of the list in the top byte; the registry begins its own at two. */
const FIRST_BLOCKLIST = 2n
const FIRST_ALLOWLIST = (1n << 56n) | 3n

let service: ServiceOnDevnet
let stage: Stage
let proxy: FaultProxy
let rpc: RpcClient
let tokens = 0

beforeAll(async () => {
  const nodeUrls = async (url: string) => {
    proxy = await startFaultProxy(url)
    return [proxy.url]
  }
  service = await startServiceOnDevnet({ chainId: 8453, examples: [] }, { nodeUrls })
  stage = await createStage(service.devnet)
  rpc = createRpcClient({ urls: [proxy.url], chainId: 8453, clock: service.clock })
  await place(service.devnet.node, stage.issuer, POLICY_REGISTRY, 'PolicyRegistry')
  await registry('createPolicy', [stage.issuer, 0])
  await registry('createPolicy', [stage.issuer, 1])
})
afterAll(async () => {
  await rpc?.close()
  await service?.stop()
  await proxy?.close()
})

const send = (contract: string, to: Address, functionName: string, args: readonly unknown[]) =>
  stage.send({ to, data: encodeFunctionData({ abi: readContract(contract).abi, functionName, args }) })
const registry = (functionName: string, args: readonly unknown[]) =>
  send('PolicyRegistry', POLICY_REGISTRY, functionName, args)
const role = (name: string) => keccak256(stringToHex(name))

/** A native token of its own, administered by the issuer unless said otherwise. */
async function createToken(admin: Address = stage.issuer): Promise<Address> {
  tokens += 1
  const address = toPaddedHex(0xb200_0000_0000_0000_0000n * 2n ** 80n + BigInt(tokens), 20)
  await place(service.devnet.node, stage.issuer, address, 'NativeToken', [admin])
  return address
}

async function judgeNow(token: Address) {
  const head = await service.devnet.node.call<{ number: string; hash: `0x${string}` }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  const at = { ...head, number: BigInt(head.number) } as Parameters<ReturnType<typeof createReadB20>>[0]['head']
  const facts = await createReadB20(() => rpc)({ chain: stage.chain, address: token, head: at })
  const report = judgeB20(token, facts)
  const evidence = (id: string) => report.riskFlags.find((flag) => flag.id === id)?.evidence ?? []
  const levelOf = (id: string) => report.riskFlags.find((flag) => flag.id === id)?.threatLevel
  return { ...report, evidence, levelOf, worst: report.riskFlags[0]?.severity }
}

describe('the powers over a native token', () => {
  test('an administrator can give himself every one of them', async () => {
    const { worst, complete, levelOf, evidence } = await judgeNow(await createToken())
    expect({ worst, complete }).toEqual({ worst: 'medium', complete: true })
    for (const id of ['native-pause', 'native-policy', 'native-seizure', 'native-mint'])
      expect([id, levelOf(id)]).toEqual([id, 'MEDIUM'])
    expect(evidence('native-pause')[0]?.holder).toBe(stage.issuer)
  })

  test('a token that never had an administrator has powers that nobody holds', async () => {
    const { worst, riskFlags } = await judgeNow(await createToken(ZERO_ADDRESS))
    expect(worst).toBe('low')
    expect(riskFlags.map(({ threatLevel }) => threatLevel)).toEqual(['LOW', 'LOW', 'LOW', 'LOW'])
    expect(riskFlags.flatMap(({ evidence }) => evidence.map(({ holder }) => holder))).toEqual(
      Array.from({ length: 5 }, () => 'no address'),
    )
  })

  test('whoever was given a role is named, and who lost it is not', async () => {
    const token = await createToken()
    for (const account of [FRIEND, CUSTODIAN])
      await send('NativeToken', token, 'grantRole', [role('BURN_BLOCKED_ROLE'), account])
    await send('NativeToken', token, 'revokeRole', [role('BURN_BLOCKED_ROLE'), FRIEND])
    const [burning] = (await judgeNow(token)).evidence('native-seizure')
    expect(burning?.holder).toBe(`${CUSTODIAN}, ${stage.issuer}`)
  })

  test('a paused token is said to be paused', async () => {
    const token = await createToken()
    await send('NativeToken', token, 'grantRole', [role('PAUSE_ROLE'), stage.issuer])
    const before = await judgeNow(token)
    await send('NativeToken', token, 'pause', [[0]])
    const after = await judgeNow(token)
    expect([before.worst, after.worst]).toEqual(['medium', 'high'])
    expect(after.evidence('native-pause')[0]?.note).toBe('transfers are paused now')
  })

  test('a list that bars strangers is worse than one that lets them pass', async () => {
    const token = await createToken()
    await send('NativeToken', token, 'updatePolicy', [SENDERS, FIRST_BLOCKLIST])
    const open = await judgeNow(token)
    await send('NativeToken', token, 'updatePolicy', [SENDERS, FIRST_ALLOWLIST])
    const shut = await judgeNow(token)
    expect([open.worst, shut.worst]).toEqual(['medium', 'high'])
    const noteOf = ({ evidence }: typeof open) => evidence('native-policy').map(({ note }) => note)
    expect(noteOf(open)).toContain('policy for the sender (blocklist), which lets ordinary accounts pass now')
    expect(noteOf(shut)).toContain('policy for the sender (allowlist), which bars ordinary accounts now')
  })

  test('a supply at its cap grows no more', async () => {
    const token = await createToken()
    await send('NativeToken', token, 'updateSupplyCap', [parseEther('1000000')])
    await send('NativeToken', token, 'grantRole', [role('MINT_ROLE'), FRIEND])
    const administered = await judgeNow(token)
    await send('NativeToken', token, 'revokeRole', [`0x${'00'.repeat(32)}`, stage.issuer])
    const left = await judgeNow(token)
    expect([administered.levelOf('native-mint'), left.levelOf('native-mint')]).toEqual(['MEDIUM', 'LOW'])
  })
})

describe('what cannot be read is not harmless', () => {
  test('without logs nobody knows who has the roles', async () => {
    const token = await createToken(ZERO_ADDRESS)
    proxy.inject({
      name: 'no logs',
      method: 'eth_getLogs',
      answer: ({ id }) => ({ id, error: { code: -32601, message: 'the method eth_getLogs does not exist' } }),
    })
    const report = await judgeNow(token)
    proxy.inject()
    expect(report).toMatchObject({ complete: false, gaps: ['members of roles'] })
    expect(report.levelOf('native-pause')).toBe('MEDIUM')
  })

  test('an address that answers like no native token is not judged by silence', async () => {
    const silent = toPaddedHex(0xb200_0000_0000_0000_0001n * 2n ** 80n, 20)
    expect(await judgeNow(silent)).toMatchObject({ complete: false })
  })
})

describe('the whole service', () => {
  let token: Address
  beforeAll(async () => {
    token = await createToken()
    const [exchange] = stage.chain.v2
    if (!exchange) throw new Error('Base has no exchange')
    await listOnV2(exchange)(stage, {
      ...{ token, quote: stage.chain.wrappedNative },
      ...{ tokenAmount: parseEther('200000'), quoteAmount: parseEther('40') },
    })
    // As the chain itself shows it.
    proxy.inject({
      name: 'hides programs of the node',
      method: 'eth_getCode',
      answer: (honest, { params: [address] }) => (address === token ? { ...honest, result: '0xef' } : honest),
    })
  })
  afterAll(() => proxy?.inject())

  test('execute-simulation names the powers as evidence', async () => {
    const { checks } = await service.post<SimulationReport>('/api/simulate/execute-simulation', token)
    expect(checks.byteCodeResult).toMatchObject({ isContract: true, trustStatus: 'Medium Risk', complete: true })
    expect(checks.byteCodeResult.riskFlags.map(({ id }) => id).toSorted()).toEqual([
      'native-mint',
      'native-pause',
      'native-policy',
      'native-seizure',
    ])
    expect(checks.simulateResult).toMatchObject({ success: true, isHoneypot: false, engine: 'eth_simulateV1' })
  })

  test('the honeypot check does not take powers that it could not try for none', async () => {
    const path = '/api/honeypot/honeypot-checks'
    const { honeypotResponse: report } = await service.post<HoneypotReportBody>(path, token)
    expect(report).toMatchObject({ isHoneypot: false, engine: 'eth_simulateV1' })
    expect(report.riskScore).toBeGreaterThanOrEqual(45)
    expect(report.timeTravelResults[0]).toMatchObject({
      isBlackListDetected: true,
      isTradingControl: true,
      isMintable: true,
    })
    expect(report.humanWarning).toContain('Not all of its privileged functions could be tried by us')
  })
})
