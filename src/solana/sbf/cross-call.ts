import { addressAt, type SolanaAddress } from '../address.js'
import { type AccountPlace, type CalledAccount, type ProgramInput, serialiseCall } from './program-input.js'
import type { Memory, Run } from './sbf-memory.js'
import { littleEndian } from './sbf-term.js'

/** What a program asks another to do, as it wrote it down. */
export interface CrossCall {
  program: SolanaAddress
  accounts: readonly { address: SolanaAddress; isWritable: boolean; isSigner: boolean }[]
  data: Run
}

/** In C, or in Rust. */
export type CallForm = 'c' | 'rust'

/**
 * Lists of both languages, by the places of their pointers and lengths (agave, `StableInstruction`
 * and `SolInstruction`), and of what an entry is made of.
 */
const FORMS = {
  c: { accounts: 8n, count: 16n, data: 24n, size: 32n, entryBytes: 16n },
  rust: { accounts: 0n, count: 16n, data: 24n, size: 40n, entryBytes: 34n },
} as const
const RUST_PROGRAM_AT = 48n
const KEY_BYTES = 32
/** The runtime takes no more. */
const MAX_ACCOUNTS = 255n
const MAX_DATA_BYTES = 10_240n
const INPUT_START = 0x4_0000_0000n

/** Reads what a program asks for from its memory. Throws a `RangeError` for what is too long. */
export function readCall(memory: Memory, at: bigint, form: CallForm): CrossCall {
  const { accounts, count, data, size, entryBytes } = FORMS[form]
  const word = (place: bigint) => memory.read(place, 8).value
  const key = (place: bigint) => addressAt(memory.copy(place, KEY_BYTES).bytes)
  const [first, total, start, length] = [accounts, count, data, size].map((field) => word(at + field))
  if (first === undefined || total === undefined || start === undefined || length === undefined) throw new RangeError()
  if (total > MAX_ACCOUNTS || length > MAX_DATA_BYTES) throw new RangeError('it asks for too much at once')
  const [writableAt, signerAt, keyOf] = form === 'c' ? [8n, 9n, (entry: bigint) => key(word(entry))] : [33n, 32n, key]
  return {
    program: form === 'c' ? key(word(at)) : key(at + RUST_PROGRAM_AT),
    accounts: Array.from({ length: Number(total) }, (_, i) => {
      const entry = first + BigInt(i) * entryBytes
      const flag = (place: bigint) => memory.read(entry + place, 1).value === 1n
      return { address: keyOf(entry), isWritable: flag(writableAt), isSigner: flag(signerAt) }
    }),
    data: memory.copy(start, Number(length)),
  }
}

/** What the program that is asked is handed, and how to bring back what it changed. */
export interface Handed {
  input: ProgramInput
  /** Takes what it wrote into the memory of the program that asked. */
  takeBack(from: Memory, to: Memory): void
}

/**
 * Hands the accounts on as they are in the memory of the program that asks, with what each byte
 * came from. `undefined` when it names one that it was not given itself.
 */
export function handOn(
  memory: Memory,
  input: ProgramInput,
  { program, accounts, data }: CrossCall,
): Handed | undefined {
  const read = (at: number, size: number) => memory.copy(INPUT_START + BigInt(at), size)
  const called: CalledAccount[] = []
  for (const { address, isWritable, isSigner } of accounts) {
    const place = input.places.get(address)
    if (place === undefined) return undefined
    const { lamports, owner, data: held } = fieldsOf(place)
    const account = {
      lamports: littleEndian(read(...lamports).bytes, 0, 8),
      owner: addressAt(read(...owner).bytes),
      executable: false,
      data: read(...held).bytes,
    }
    called.push({ address, account, isWritable, isSigner })
  }
  const own = serialiseCall({
    program,
    accounts: called,
    data: data.bytes,
    clock: input.time,
    programs: input.programs,
  })
  const runs: { at: number; run: Run }[] = [{ at: own.dataAt, run: data }]
  const pairs = [...own.places].flatMap(([address, to]) => {
    const from = input.places.get(address)
    return from ? [{ from, to, isWritable: accounts.some((each) => each.address === address && each.isWritable) }] : []
  })
  for (const { from, to } of pairs) {
    const [there, here] = [fieldsOf(from), fieldsOf(to)]
    for (const field of FIELDS) runs.push({ at: here[field][0], run: read(...there[field]) })
  }
  return {
    input: { ...own, segments: [], runs, clock: input.clock, sysvars: input.sysvars },
    takeBack(inner, outer) {
      for (const { from, to, isWritable } of pairs) {
        if (!isWritable) continue
        const [there, here] = [fieldsOf(from), fieldsOf(to)]
        for (const field of FIELDS) {
          const run = inner.copy(INPUT_START + BigInt(here[field][0]), here[field][1])
          outer.paste(INPUT_START + BigInt(there[field][0]), run)
        }
      }
    },
  }
}

const FIELDS = ['key', 'owner', 'lamports', 'length', 'data'] as const

/** Places in the input and lengths (agave, `serialization.rs`). */
const fieldsOf = ({ at, dataBytes }: AccountPlace): Record<(typeof FIELDS)[number], [at: number, size: number]> => ({
  key: [at + 8, KEY_BYTES],
  owner: [at + 40, KEY_BYTES],
  lamports: [at + 72, 8],
  length: [at + 80, 8],
  data: [at + 88, dataBytes],
})
