import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi } from 'viem'
import type { Hex } from '../hex.js'
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
  const url = new URL(`../../contracts/generated/${name}.json`, import.meta.url)
  try {
    return JSON.parse(readFileSync(url, 'utf8')) as CompiledContract
  } catch (cause) {
    throw new DevnetError(`No compiled contract ${name}. Run: npm run compile:contracts`, { cause })
  }
}

/** A contract as its authors built it, from their package. */
export function readPackaged(path: string): Artifact {
  const { resolve } = createRequire(import.meta.url)
  try {
    const { abi, bytecode } = JSON.parse(readFileSync(resolve(path), 'utf8')) as { abi: Abi; bytecode: string }
    return { abi, bytecode: `0x${bytecode.replace(/^0x/, '')}` }
  } catch (cause) {
    throw new DevnetError(`The devnet needs ${path}. Install with development dependencies`, { cause })
  }
}
