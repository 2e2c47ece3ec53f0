import { randomBytes } from 'node:crypto'
import { type Address, bytesToHex } from '../hex.js'

const ADDRESS_BYTES = 20

/** An account without a key or code that no contract can know beforehand. */
export const randomAddress = (): Address => bytesToHex(randomBytes(ADDRESS_BYTES))
