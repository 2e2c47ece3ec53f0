import { viewOf } from '../account.js'
import { addressAt, type SolanaAddress } from '../address.js'
import { SYSTEM_PROGRAM } from '../programs.js'

type Key = SolanaAddress | undefined

/** A fee on transfers that is in force from an epoch on. */
export interface TransferFee {
  epoch: bigint
  /** Most that one transfer pays, in base units. */
  maximum: bigint
  bps: number
}

/**
 * The extensions of a mint that have a meaning for its holders (layouts: spl-token-2022,
 * `extension/*`).
 */
export interface MintExtensions {
  transferFee?: { authority: Key; withdrawAuthority: Key; withheld: bigint; older: TransferFee; newer: TransferFee }
  closeAuthority?: { authority: Key }
  confidentialTransfer?: { authority: Key; autoApprove: boolean }
  defaultState?: { frozen: boolean }
  nonTransferable?: Record<string, never>
  interestBearing?: { authority: Key; rateBps: number }
  permanentDelegate?: { delegate: Key }
  transferHook?: { authority: Key; program: Key }
  metadataPointer?: { authority: Key; address: Key }
  metadata?: { updateAuthority: Key; mint: SolanaAddress; name: string; symbol: string; uri: string }
  scaledUiAmount?: { authority: Key; multiplier: number; newTime: bigint; newMultiplier: number }
  pausable?: { authority: Key; paused: boolean }
  permissionedBurn?: { authority: Key }
}

interface ExtensionReader {
  name: string
  /** Exact length; `undefined` where it varies. */
  bytes: number | undefined
  read?(value: Uint8Array): MintExtensions
}

/** All-zero means none. */
function key(value: Uint8Array, offset: number): Key {
  const address = addressAt(value, offset)
  return address === SYSTEM_PROGRAM ? undefined : address
}

/**
 * By type. Those without a reader are known to matter to nothing but display, privacy or grouping.
 */
export const EXTENSIONS: ReadonlyMap<number, ExtensionReader> = new Map<number, ExtensionReader>([
  [1, { name: 'transferFeeConfig', bytes: 108, read: readTransferFee }],
  [3, { name: 'mintCloseAuthority', bytes: 32, read: (value) => ({ closeAuthority: { authority: key(value, 0) } }) }],
  [4, { name: 'confidentialTransferMint', bytes: 65, read: readConfidential }],
  [6, { name: 'defaultAccountState', bytes: 1, read: (value) => ({ defaultState: { frozen: value[0] === 2 } }) }],
  [9, { name: 'nonTransferable', bytes: 0, read: () => ({ nonTransferable: {} }) }],
  [10, { name: 'interestBearingConfig', bytes: 52, read: readInterest }],
  [12, { name: 'permanentDelegate', bytes: 32, read: (value) => ({ permanentDelegate: { delegate: key(value, 0) } }) }],
  [14, { name: 'transferHook', bytes: 64, read: readHook }],
  [16, { name: 'confidentialTransferFeeConfig', bytes: undefined }],
  [18, { name: 'metadataPointer', bytes: 64, read: readPointer }],
  [19, { name: 'tokenMetadata', bytes: undefined, read: readMetadata }],
  [20, { name: 'groupPointer', bytes: 64 }],
  [21, { name: 'tokenGroup', bytes: undefined }],
  [22, { name: 'groupMemberPointer', bytes: 64 }],
  [23, { name: 'tokenGroupMember', bytes: undefined }],
  [24, { name: 'confidentialMintBurn', bytes: undefined }],
  [25, { name: 'scaledUiAmountConfig', bytes: 56, read: readScaledUi }],
  [26, { name: 'pausable', bytes: 33, read: readPausable }],
  [28, { name: 'permissionedBurn', bytes: 32, read: (value) => ({ permissionedBurn: { authority: key(value, 0) } }) }],
])

/** Reads one extension into `extensions`. False when the value is not what its type demands. */
export function readExtension(extensions: MintExtensions, type: number, value: Uint8Array): boolean {
  const reader = EXTENSIONS.get(type)
  if (reader === undefined) return true
  if (reader.bytes !== undefined && value.length !== reader.bytes) return false
  try {
    Object.assign(extensions, reader.read?.(value))
    return true
  } catch (error) {
    // Metadata alone has lengths of its own, which may lie.
    if (error instanceof RangeError) return false
    throw error
  }
}

function readTransferFee(value: Uint8Array): MintExtensions {
  const view = viewOf(value)
  const fee = (at: number): TransferFee => ({
    epoch: view.getBigUint64(at, true),
    maximum: view.getBigUint64(at + 8, true),
    bps: view.getUint16(at + 16, true),
  })
  const transferFee = {
    authority: key(value, 0),
    withdrawAuthority: key(value, 32),
    withheld: view.getBigUint64(64, true),
    older: fee(72),
    newer: fee(90),
  }
  return { transferFee }
}

function readConfidential(value: Uint8Array): MintExtensions {
  return { confidentialTransfer: { authority: key(value, 0), autoApprove: value[32] === 1 } }
}

function readInterest(value: Uint8Array): MintExtensions {
  return { interestBearing: { authority: key(value, 0), rateBps: viewOf(value).getInt16(50, true) } }
}

function readHook(value: Uint8Array): MintExtensions {
  return { transferHook: { authority: key(value, 0), program: key(value, 32) } }
}

function readPointer(value: Uint8Array): MintExtensions {
  return { metadataPointer: { authority: key(value, 0), address: key(value, 32) } }
}

function readScaledUi(value: Uint8Array): MintExtensions {
  const view = viewOf(value)
  const scaledUiAmount = {
    authority: key(value, 0),
    multiplier: view.getFloat64(32, true),
    newTime: view.getBigInt64(40, true),
    newMultiplier: view.getFloat64(48, true),
  }
  return { scaledUiAmount }
}

function readPausable(value: Uint8Array): MintExtensions {
  return { pausable: { authority: key(value, 0), paused: value[32] !== 0 } }
}

/** Empty when a length runs past the end. */
export function readMetadataOrNothing(value: Uint8Array): MintExtensions {
  const extensions: MintExtensions = {}
  readExtension(extensions, METADATA_TYPE, value)
  return extensions
}

const METADATA_TYPE = 19

function readMetadata(value: Uint8Array): MintExtensions {
  const text = textReader(value, 64)
  const metadata = {
    updateAuthority: key(value, 0),
    mint: addressAt(value, 32),
    name: text(),
    symbol: text(),
    uri: text(),
  }
  return { metadata }
}

/**
 * Reads texts one after the other (length u32, bytes in UTF-8). Throws a `RangeError` at one that
 * runs past the end.
 */
export function textReader(data: Uint8Array, start: number): () => string {
  let at = start
  return () => {
    const length = viewOf(data).getUint32(at, true)
    const end = at + 4 + length
    if (end > data.length) throw new RangeError('a text runs past the end')
    const text = new TextDecoder().decode(data.subarray(at + 4, end))
    at = end
    return text.replaceAll('\0', '').trim()
  }
}
