import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi } from 'viem'
import type { Hex } from '../hex.js'
import { PACKAGE_ROOT } from '../package-root.js'
import { DevnetError } from './node.js'

export interface Artifact {
  abi: Abi
  /** Creation code without constructor arguments. */
  bytecode: Hex
}

/** A contract of this project, as `scripts/compile-contracts.ts` left it. */
export interface CompiledContract extends Artifact {
  contractName: string
  source: string
  /** The first line of the contract's own documentation. */
  notice: string
  /** Tags of the documentation: `custom:expect` and the like. */
  devdoc: Record<string, unknown>
  /** Code after construction; immutable values are zero in it. */
  runtimeBytecode: Hex
}

export function readContract(name: string): CompiledContract {
  const path = join(PACKAGE_ROOT, `contracts/generated/${name}.json`)
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as CompiledContract
  } catch (cause) {
    throw new DevnetError(`No compiled contract ${name}. Run: npm run compile:contracts`, { cause })
  }
}

/** What Truffle, Hardhat (a string) and Foundry (an object) write of a contract. */
interface PackagedContract {
  abi: Abi
  bytecode: string | { object: string }
}

/** A contract as its authors built it, from their package. */
export function readPackaged(path: string): Artifact {
  const { resolve } = createRequire(import.meta.url)
  try {
    const { abi, bytecode } = JSON.parse(readFileSync(resolve(path), 'utf8')) as PackagedContract
    const code = typeof bytecode === 'string' ? bytecode : bytecode.object
    return { abi, bytecode: `0x${code.replace(/^0x/, '')}` }
  } catch (cause) {
    throw new DevnetError(`The devnet needs ${path}. Install with development dependencies`, { cause })
  }
}

/**
 * Permit2, whose code V4's package carries in a script of its own, as it stands on Ethereum. What
 * is patched into it for another chain concerns signatures alone, and is worked out anew there.
 */
export function readPermit2(): Artifact {
  const { resolve } = createRequire(import.meta.url)
  const path = '@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol'
  const [, code] = readFileSync(resolve(path), 'utf8').match(/hex"([0-9a-f]+)"/) ?? []
  if (!code) throw new DevnetError(`There is no code of Permit2 in ${path}`)
  return { abi: [], bytecode: `0x${returning(code.length / 2)}${code}` }
}

/**
 * Creation code that returns the `size` bytes behind it: PUSH2 size, DUP1, PUSH1 10,
 * RETURNDATASIZE, CODECOPY, RETURNDATASIZE, RETURN.
 */
const returning = (size: number) => `61${size.toString(16).padStart(4, '0')}80600a3d393df3`
