import { keccak256 } from 'viem'
import type { V2Deployment } from '../chains/exchanges.js'
import type { Hex } from '../hex.js'
import { type Artifact, readPackaged } from './artifacts.js'
import { DevnetError } from './node.js'

export interface V2Code {
  artifacts: { factory: Artifact; router: Artifact }
  /** The hash that the pairs of this factory really have. */
  initCodeHash: Hex
  /** Whether Uniswap's code stands in for another exchange's. */
  isStandIn: boolean
}

/**
 * Factory and router for a deployment. Uniswap's own are taken as they are. Others of the family
 * (PancakeSwap, SushiSwap) differ from it in the pool's fee and in words, so Uniswap's code stands
 * in with its fee exchanged; the router is told the hash of the pairs that result.
 */
export function readV2Code({ initCodeHash, feeBps }: Pick<V2Deployment, 'initCodeHash' | 'feeBps'>): V2Code {
  const pair = readPackaged('@uniswap/v2-core/build/UniswapV2Pair.json')
  const factory = readPackaged('@uniswap/v2-core/build/UniswapV2Factory.json')
  const router = readPackaged('@uniswap/v2-periphery/build/UniswapV2Router02.json')
  const uniswapHash = keccak256(pair.bytecode)
  if (uniswapHash === initCodeHash && feeBps === UNISWAP_FEE_BPS) {
    return { artifacts: { factory, router }, initCodeHash, isStandIn: false }
  }

  const ownPair = feeBps === UNISWAP_FEE_BPS ? pair.bytecode : patch(pair.bytecode, pairFeePatches(feeBps))
  const ownHash = keccak256(ownPair)
  const hashPatch = { from: uniswapHash.slice(2), to: ownHash.slice(2), times: 1 }
  const feePatches = feeBps === UNISWAP_FEE_BPS ? [] : routerFeePatches(feeBps)
  return {
    artifacts: {
      factory: {
        ...factory,
        bytecode: patch(factory.bytecode, [{ from: pair.bytecode.slice(2), to: ownPair.slice(2), times: 1 }]),
      },
      router: { ...router, bytecode: patch(router.bytecode, [hashPatch, ...feePatches]) },
    },
    initCodeHash: ownHash,
    isStandIn: true,
  }
}

const UNISWAP_FEE_BPS = 30

interface Patch {
  from: string
  to: string
  /** How often `from` must occur: a package with other code is refused instead of mangled. */
  times: number
}

function patch(code: Hex, patches: readonly Patch[]): Hex {
  let digits = code.slice(2)
  for (const { from, to, times } of patches) {
    const parts = digits.split(from)
    if (parts.length !== times + 1)
      throw new DevnetError(`Cannot patch Uniswap's code: 0x${from.slice(0, 64)} is not there`)
    digits = parts.join(to)
  }
  return `0x${digits}`
}

/*
 * The code counts the fee as 3 of 1000. Any fee of one part in `n` fits the same push instructions:
 * 25 basis points are 1 of 400, which gives exactly the amounts of PancakeSwap's 25 of 10000.
 */
function partsOf(feeBps: number): number {
  const parts = 10_000 / feeBps
  if (!Number.isInteger(parts) || parts > MAX_PARTS)
    throw new DevnetError(`No stand-in for a pool fee of ${feeBps} basis points`)
  return parts
}

/** So that a square fits three bytes, as 1000 squared does. */
const MAX_PARTS = 4095

const push2 = (value: number) => `61${value.toString(16).padStart(4, '0')}`
const push3 = (value: number) => `62${value.toString(16).padStart(6, '0')}`

/**
 * `balance * 1000 - amountIn * 3` against `reserves * 1000 ** 2`, by the instructions around each
 * constant.
 */
function pairFeePatches(feeBps: number): Patch[] {
  const parts = partsOf(feeBps)
  return [
    { from: `610bfd87${push2(1000)}`, to: `610bfd87${push2(parts)}`, times: 1 },
    { from: '84600363ffffffff6121e816', to: '84600163ffffffff6121e816', times: 2 },
    { from: push3(1_000_000), to: push3(parts * parts), times: 1 },
  ]
}

/** `getAmountOut` and `getAmountIn` use 997 and 1000 alike. */
function routerFeePatches(feeBps: number): Patch[] {
  const parts = partsOf(feeBps)
  return [
    { from: push2(997), to: push2(parts - 1), times: 2 },
    { from: push2(1000), to: push2(parts), times: 2 },
  ]
}
