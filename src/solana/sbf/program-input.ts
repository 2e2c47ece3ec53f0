import type { SolanaAccount } from '../account.js'
import { addressBytes, type SolanaAddress } from '../address.js'
import type { SolanaClock } from '../cluster-clock.js'
import { packed } from '../instruction.js'
import { CLOCK_SYSVAR, SYSTEM_PROGRAM, SYSVAR_OWNER } from '../programs.js'
import type { SbfProgram } from './read-elf.js'
import type { RuntimeFacts } from './runtime-calls.js'
import type { Run, Segment } from './sbf-memory.js'
import type { Source, SourceKind } from './sbf-term.js'

/** What a program is handed when it is called, and what each byte of it is. */
export interface ProgramInput extends RuntimeFacts {
  bytes: Uint8Array
  segments: Segment[]
  sources: Source[]
  /** Where accounts lie in it, and its data. */
  places: ReadonlyMap<SolanaAddress, AccountPlace>
  dataAt: number
  time: SolanaClock
  /** Put into it before it is run. */
  runs?: readonly { at: number; run: Run }[]
  programs?: ReadCode | undefined
}

export interface AccountPlace {
  at: number
  dataBytes: number
}

/** The code of a program that is asked; `undefined` for one that cannot be followed. */
export type ReadCode = (program: SolanaAddress) => SbfProgram | undefined

export interface CalledAccount {
  address: SolanaAddress
  /** `undefined`: there is none. */
  account: SolanaAccount | undefined
  isWritable: boolean
  isSigner: boolean
}

export interface ProgramCall {
  program: SolanaAddress
  accounts: readonly CalledAccount[]
  data: Uint8Array
  clock: SolanaClock
  programs?: ReadCode | undefined
}

/** How a clock stands in memory. */
export const clockBytes = ({ slot, epochStart, epoch, leaderEpoch, unixTime }: SolanaClock) =>
  packed([64, slot], [64, epochStart], [64, epoch], [64, leaderEpoch], [64, unixTime])

/**
 * Serialises a call as the runtime does for its aligned loaders (agave, `program-runtime`,
 * `serialization.rs`): accounts, instruction, program.
 */
export function serialiseCall({ program, accounts, data, clock, programs }: ProgramCall): ProgramInput {
  const parts: Uint8Array[] = []
  const segments: Segment[] = []
  const sysvars = new Map<string, Source>()
  const clockSource: Source = { kind: 'clock', account: -1, bytes: clockBytes(clock) }
  const sources = [clockSource]
  let at = 0
  const add = (bytes: Uint8Array, source?: Source) => {
    if (source !== undefined && bytes.length > 0) segments.push({ at, source })
    parts.push(bytes)
    at += bytes.length
  }
  const addSource = (kind: SourceKind, account: number, bytes: Uint8Array) => {
    const source: Source = { kind, account, bytes }
    sources.push(source)
    add(bytes, source)
    return source
  }
  const first = new Map<SolanaAddress, number>()
  const places = new Map<SolanaAddress, AccountPlace>()
  addSource('shape', -1, packed([64, accounts.length]))
  for (const [i, { address, account, isWritable, isSigner }] of accounts.entries()) {
    const repeated = first.get(address)
    if (repeated !== undefined) {
      add(packed([8, repeated], new Uint8Array(7)))
      continue
    }
    first.set(address, i)
    places.set(address, { at, dataBytes: account?.data.length ?? 0 })
    const { lamports, owner, executable, data: held } = account ?? ABSENT
    add(Uint8Array.of(0xff))
    addSource('shape', i, Uint8Array.of(isSigner ? 1 : 0, isWritable ? 1 : 0, executable ? 1 : 0))
    add(new Uint8Array(4))
    addSource('key', i, addressBytes(address))
    addSource('owner', i, addressBytes(owner))
    addSource('lamports', i, packed([64, lamports]))
    addSource('length', i, packed([64, held.length]))
    if (address === CLOCK_SYSVAR) add(clockSource.bytes, clockSource)
    else {
      const isSysvar = owner === SYSVAR_OWNER
      const source = addSource(isSysvar ? 'runtime' : 'data', i, held)
      if (isSysvar) sysvars.set(address, source)
    }
    add(new Uint8Array(SPARE_BYTES + ((8 - (held.length % 8)) % 8)))
    add(packed([64, NO_RENT_EPOCH]))
  }
  add(packed([64, data.length]))
  const dataAt = at
  addSource('instruction', -1, data)
  add(addressBytes(program))
  const depth: Source = { kind: 'runtime', account: -1, bytes: packed([64, 2]) }
  sources.push(depth)
  const bytes = Uint8Array.from(Buffer.concat(parts))
  return { bytes, segments, sources, clock: clockSource, depth, sysvars, places, dataAt, time: clock, programs }
}

const ABSENT = { lamports: 0n, owner: SYSTEM_PROGRAM, executable: false, data: new Uint8Array() }
/** Room for data that grows. */
const SPARE_BYTES = 10_240
const NO_RENT_EPOCH = 2n ** 64n - 1n
