import type { SolanaAccount } from '../account.js'
import { addressAt, addressBytes } from '../address.js'
import { POOL_LAYOUTS, type PoolLayout } from './layouts.js'

/** An address that tests can tell from others. */
export const sampleKey = (byte: number) => addressAt(new Uint8Array(32).fill(byte))

/** Room behind the shortest data of a pool, for what a test writes there. */
const SPARE_BYTES = 64

/** An account of this layout: mints 10 and 11, vaults 12 and 13. */
export function samplePool(layout: PoolLayout, changes: (view: DataView) => void = () => {}): SolanaAccount {
  const data = new Uint8Array(layout.exactBytes ?? layout.minBytes + SPARE_BYTES)
  data.set(addressBytes(sampleKey(10)), layout.mints[0])
  data.set(addressBytes(sampleKey(11)), layout.mints[1])
  data.set(addressBytes(sampleKey(12)), layout.vaults[0])
  data.set(addressBytes(sampleKey(13)), layout.vaults[1])
  changes(new DataView(data.buffer))
  return { lamports: 1n, owner: layout.program, executable: false, data }
}

export function layoutOf(id: string): PoolLayout {
  const layout = POOL_LAYOUTS.find((each) => each.id === id)
  if (layout === undefined) throw new RangeError(`no layout ${id}`)
  return layout
}
