import { mappingSlot } from '../../dex/mapping-slot.js'
import type { Inspector } from '../../evm/inspector.js'
import { ADDRESS_MASK, type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import { signLeads } from './attack-signatures.js'
import { dataOf, type Values } from './call-data.js'
import { readLeads } from './leads.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** Where code asks whether a signature is that of one account. */
export interface SignerCheck {
  codeAddress: Address
  /** Of the comparison. */
  pc: number
  /** Whose signature it wants. */
  signer: Address
}

/** Where code looks whether an account that signed is on a list. */
export interface SignerList {
  account: Address
  slot: bigint
}

/** A signature may be over what another one signed. */
const MAX_PASSES = 3

/**
 * Signs what the function wants signed with a key of our own, and looks which account the signer is
 * compared with. `undefined` where no signature is asked for, or where the account that is compared
 * was named in the call: then a user signs for itself, which is what permits are.
 */
export function findSignerCheck(
  stage: Stage,
  entry: EntryPoint,
  marks: Values,
  signer: { address: Address; key: Uint8Array },
): SignerCheck | SignerList | undefined {
  const { fork, target, outsider } = stage
  const values = [...marks]
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const attempt = { from: outsider, to: entry.at ?? target, data: dataOf(entry, values) }
    const outcome = stage.play(attempt)
    const leads = readLeads(outcome.trace, target, new Set())
    if (!signLeads(values, leads, signer.key).includes(true)) {
      if (leads.signatures.length === 0) return undefined
      const check = comparisonWith(fork, attempt, BigInt(signer.address))
      if (check === undefined) return listedUnder(outcome, signer.address)
      // The target signs for itself where it is an account, and has no key where it is none.
      const isNamed = [0n, BigInt(target)].includes(check.other) || values.includes(check.other)
      if (isNamed) return undefined
      return { codeAddress: check.codeAddress, pc: check.pc, signer: toPaddedHex(check.other, 20) }
    }
  }
  return undefined
}

/** Mappings are looked for at the first slots, where compilers put them. */
const MAX_BASE = 32n

/** The empty entry of a mapping that a refused call looked up under the account. */
function listedUnder({ success, storage }: Outcome, signer: Address): SignerList | undefined {
  if (success) return undefined
  for (const [account, slots] of storage.reads) {
    for (let base = 0n; base < MAX_BASE; base += 1n) {
      const slot = mappingSlot(base, signer)
      if (slots.get(slot) === 0n) return { account, slot }
    }
  }
  return undefined
}

type Comparison = Omit<SignerCheck, 'signer'> & { other: bigint }

const COMPARISONS = [0x14, 0x03, 0x18]

/** The last comparison of the value with another one. */
function comparisonWith(
  { evm }: Fork,
  call: { from: Address; to: Address; data: Hex },
  value: bigint,
): Comparison | undefined {
  let found: Comparison | undefined
  const inspector: Inspector<void> = {
    opcodes: COMPARISONS,
    onStep(event) {
      const [a, b] = [event.stack(0), event.stack(1)]
      if (a !== value && b !== value) return
      const { codeAddress, pc } = event
      const other = a === value ? b : a
      // Whether it is an address at all is asked of every signer.
      if (other !== 0n && other < ADDRESS_MASK) found = { codeAddress, pc, other }
    },
    finish() {},
  }
  evm.read(call, [inspector])
  return found
}
