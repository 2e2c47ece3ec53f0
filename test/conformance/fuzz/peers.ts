import { Common, type CustomCrypto, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString } from '@ethereumjs/util'
import type { BlockEnvironment } from '../../../src/evm/block-environment.js'
import type { CodeCache } from '../../../src/evm/code.js'
import { createEvm } from '../../../src/evm/create-evm.js'
import type { CallFrame } from '../../../src/evm/inspector.js'
import { createCallTraceInspector } from '../../../src/evm/inspectors/call-trace.js'
import { bytesToHex, type Hex, hexToBytes, toPaddedHex, toQuantity } from '../../../src/hex.js'
import { opcodeByName } from '../../../src/instructions/opcodes.js'
import { createAllocatedState } from '../allocated-state.js'
import type { TestRpc } from '../rpc.js'
import { assemble, CALLER, CONTRACTS, type World } from './generated-program.js'

const BALANCE: Hex = '0x64'
const RICH: Hex = '0x56bc75e2d63100000'

/**
 * What the comparison looks at: everything a call tree tells. Why a frame failed is told only as
 * far as all peers tell it.
 */
export type Outcome = Pick<CallFrame, 'type' | 'from' | 'to' | 'value' | 'input' | 'output'> & {
  logs?: { address: Hex; topics: Hex[]; data: Hex; position: Hex }[]
  gas?: Hex
  gasUsed: Hex
  failure: 'reverted' | 'halted' | undefined
  calls: Outcome[]
}

export function allocationOf({ programs }: World) {
  const contracts = CONTRACTS.map((address, index) => [
    address,
    { code: bytesToHex(assemble(programs[index] ?? [])), balance: BALANCE },
  ])
  return { ...Object.fromEntries(contracts), [CALLER]: { balance: RICH, nonce: '0x0' as Hex } }
}

const TARGET = CONTRACTS[0] as Hex

export function runOurs(world: World, block: BlockEnvironment, codeCache?: CodeCache): Outcome {
  const state = createAllocatedState(allocationOf(world), (number) => toPaddedHex(number, 32))
  const evm = createEvm({
    state,
    block,
    hardfork: 'osaka',
    limits: { wallClockMs: 60_000, precompileMicros: 60_000_000, depth: 1_100 },
    ...(codeCache && { codeCache }),
  })
  const trace = createCallTraceInspector({ withLog: true, maxBytes: Number.MAX_SAFE_INTEGER })
  evm.transact(
    { from: CALLER, to: TARGET, data: bytesToHex(world.calldata), gasLimit: BigInt(world.gas), gasPrice: 0n },
    [trace],
  )
  return toOutcome(trace.finish(), true)
}

/** Many worlds in one HTTP request. */
export async function runOnAnvil(rpc: TestRpc, worlds: readonly World[]): Promise<Outcome[]> {
  const traces = await rpc.batch<CallFrame>(
    worlds.map((world) => ({
      method: 'debug_traceCall',
      params: [
        { from: CALLER, to: TARGET, input: bytesToHex(world.calldata), gas: toQuantity(world.gas), gasPrice: '0x0' },
        'latest',
        { tracer: 'callTracer', tracerConfig: { withLog: true }, stateOverrides: allocationOf(world) },
      ],
    })),
  )
  return traces.map((trace) => toOutcome(trace, true))
}

/** The block that `debug_traceCall` runs in, as code sees it there. */
export async function readAnvilBlock(rpc: TestRpc, chainId: number): Promise<BlockEnvironment> {
  const names = ['NUMBER', 'TIMESTAMP', 'COINBASE', 'PREVRANDAO', 'GASLIMIT', 'BASEFEE', 'BLOBBASEFEE']
  const code = names.flatMap((name, index) => [opcodeByName(name), 0x60, index * 32, opcodeByName('MSTORE')])
  const probe = bytesToHex(Uint8Array.from([...code, 0x60, 0xe0, 0x5f, opcodeByName('RETURN')]))
  const { output = '0x' } = await rpc.call<CallFrame>(
    'debug_traceCall',
    { from: CALLER, to: TARGET, gas: '0xfffff', gasPrice: '0x0' },
    'latest',
    { tracer: 'callTracer', stateOverrides: { [TARGET]: { code: probe } } },
  )
  const word = (index: number) => `0x${output.slice(2 + index * 64, 66 + index * 64)}` as Hex
  return {
    chainId,
    number: BigInt(word(0)),
    timestamp: BigInt(word(1)),
    coinbase: toPaddedHex(BigInt(word(2)), 20),
    prevRandao: word(3),
    gasLimit: BigInt(word(4)),
    baseFeePerGas: BigInt(word(5)),
    blobBaseFee: BigInt(word(6)),
  }
}

export interface PlainOutcome {
  output: Hex
  failure: 'reverted' | 'halted' | undefined
  logs: number
}

/** `@ethereumjs/evm` tells less: what came out, not how. */
export async function runOnEthereumjs(
  world: World,
  block: BlockEnvironment,
): Promise<PlainOutcome & { gasUsed: bigint }> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka, customCrypto: { kzg } })
  const stateManager = new SimpleStateManager({ common })
  for (const [address, { code = '0x', balance }] of Object.entries(allocationOf(world)) as [
    Hex,
    { code?: Hex; balance: Hex },
  ][]) {
    const account = createAddressFromString(address)
    await stateManager.putAccount(account, new Account(address === CALLER ? 1n : 0n, BigInt(balance)))
    await stateManager.putCode(account, hexToBytes(code))
  }
  const evm = await createEVM({ common, stateManager })
  const caller = createAddressFromString(CALLER)
  const { intrinsic, floor } = intrinsicOf(world.calldata)
  for (const address of [TARGET, CALLER, block.coinbase, ...PRECOMPILES]) {
    evm.journal.addAlwaysWarmAddress(createAddressFromString(address).toString(), true)
  }
  const { execResult } = await evm.runCall({
    caller,
    origin: caller,
    to: createAddressFromString(TARGET),
    data: world.calldata,
    gasLimit: BigInt(world.gas) - intrinsic,
    gasPrice: 0n,
    block: {
      header: {
        number: block.number,
        coinbase: createAddressFromString(block.coinbase),
        timestamp: block.timestamp,
        difficulty: 0n,
        prevRandao: hexToBytes(block.prevRandao),
        gasLimit: block.gasLimit,
        baseFeePerGas: block.baseFeePerGas,
        getBlobGasPrice: () => block.blobBaseFee,
      },
    },
  })
  const error = execResult.exceptionError?.error
  const failure = error === undefined ? undefined : error === 'revert' ? 'reverted' : 'halted'
  return {
    output: failure === 'halted' ? '0x' : bytesToHex(execResult.returnValue),
    failure,
    logs: failure === undefined ? (execResult.logs?.length ?? 0) : 0,
    gasUsed: paid(
      intrinsic + execResult.executionGasUsed,
      failure === undefined ? (execResult.gasRefund ?? 0n) : 0n,
      floor,
    ),
  }
}

const INTRINSIC = 21_000n
/**
 * Generated inputs do not carry a valid versioned hash, so that this is never asked; without it the
 * package throws.
 */
const kzg = { verifyProof: () => false } as unknown as NonNullable<CustomCrypto['kzg']>
/** Warm from the start, which this package leaves to another as well (EIP-2929). */
const PRECOMPILES = [...Array.from({ length: 0x11 }, (_, index) => index + 1), 0x100].map((number) =>
  toPaddedHex(BigInt(number), 20),
)

/** EIP-2028 and EIP-7623. */
function intrinsicOf(calldata: Uint8Array): { intrinsic: bigint; floor: bigint } {
  const zeros = BigInt(calldata.filter((byte) => byte === 0).length)
  const others = BigInt(calldata.length) - zeros
  return { intrinsic: INTRINSIC + 4n * zeros + 16n * others, floor: INTRINSIC + 10n * zeros + 40n * others }
}

/** EIP-3529: this package leaves refund and floor to another. */
function paid(used: bigint, refund: bigint, floor: bigint): bigint {
  const rest = used - (refund < used / 5n ? refund : used / 5n)
  return rest > floor ? rest : floor
}

function toOutcome(frame: CallFrame, isRoot = false, isVoid = false): Outcome {
  const { type, from, to, value, input, output, gas, gasUsed, error, logs, calls = [] } = frame
  const failure = error === undefined ? undefined : /revert/i.test(error) ? 'reverted' : 'halted'
  const isLost = isVoid || failure !== undefined
  return {
    type,
    from,
    ...(to !== undefined && failure === undefined && { to }),
    ...(value !== undefined && { value }),
    input,
    ...(output !== undefined && output !== '0x' && { output }),
    // At the root, peers disagree whether the intrinsic gas counts.
    ...(!isRoot && { gas }),
    gasUsed,
    failure,
    // What failed frames have logged never happened; anvil shows it all the same, and counts it.
    ...(logs !== undefined && logs.length > 0 && !isLost && { logs: logs.map(withoutIndex) }),
    calls: calls.map((call) => toOutcome(call, false, isLost)),
  }
}

type TracedLog = NonNullable<CallFrame['logs']>[number]

function withoutIndex({ address, topics, data, position }: TracedLog) {
  return { address, topics, data, position }
}
