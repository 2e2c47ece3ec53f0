import { type Hardfork, isSince } from '../chains/chain.js'
import type { Engine } from '../evm/create-evm.js'
import type { Address, Hex } from '../hex.js'
import { type Header, InvalidBlockError } from './mined-block.js'

/** What the chain tells its contracts before the first transaction (EIP-4788, EIP-2935). */
export function callAtStart(engine: Engine, { parentBeaconBlockRoot, parentHash }: Header, hardfork: Hardfork): void {
  if (isSince(hardfork, 'cancun') && parentBeaconBlockRoot !== undefined)
    call(engine, BEACON_ROOTS, parentBeaconBlockRoot)
  if (isSince(hardfork, 'prague')) call(engine, BLOCK_HASHES, parentHash)
}

/** What Ethereum asks of its contracts after the last one (EIP-7002, EIP-7251). */
export function callAtEnd(engine: Engine, hardfork: Hardfork): void {
  if (!isSince(hardfork, 'prague')) return
  call(engine, WITHDRAWAL_REQUESTS, '0x')
  call(engine, CONSOLIDATION_REQUESTS, '0x')
}

const BEACON_ROOTS: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const BLOCK_HASHES: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
const WITHDRAWAL_REQUESTS: Address = '0x00000961ef480eb55e80d19ad83579a64c007002'
const CONSOLIDATION_REQUESTS: Address = '0x0000bbddc7ce488642fb579f8b00f3a590007251'

/** Where the contract is not there, nothing happens, as these proposals say. */
function call({ systemCall, renewBudget }: Engine, to: Address, data: Hex): void {
  renewBudget()
  const { error } = systemCall({ to, data })
  if (error !== undefined) throw new InvalidBlockError(`the chain's own call to ${to} failed: ${error}`)
}
