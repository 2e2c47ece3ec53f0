import type { Inspector } from '../../evm/inspector.js'
import { type Address, wordToAddress } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'

/** A call that leaves a contract at one place of its code. */
export interface OutgoingCall {
  to: Address
  /** Its first bytes. */
  input: Uint8Array
  /** All of them. */
  inputBytes: number
}

interface Place {
  /** Whose storage the code uses. */
  account: Address
  codeAddress: Address
  pc: number
}

const [BALANCE, EXTCODESIZE, EXTCODEHASH] = [0x31, 0x3b, 0x3f]
const [CALL, CALLCODE, STATICCALL] = [0xf1, 0xf2, 0xfa]
const MAX_WORD = Number(1n << 32n)

/**
 * The first call that leaves at a place. Whatever it names, `standIn` is called in its stead and
 * given no coins, as it is wherever the contract asks an account that is not `familiar`: made-up
 * addresses are no reason to ask a node.
 */
export function createOutgoingCallInspector(
  { account, codeAddress, pc }: Place,
  { standIn, familiar, keptBytes }: { standIn: Address; familiar: ReadonlySet<Address>; keptBytes: number },
): Inspector<OutgoingCall | undefined> {
  let found: OutgoingCall | undefined
  return keepCompiled('outgoing call', {
    opcodes: [BALANCE, EXTCODESIZE, EXTCODEHASH, CALL, CALLCODE, STATICCALL],
    onStep(event) {
      if (event.address !== account) return
      const { opcode } = event
      const isCall = opcode === CALL || opcode === CALLCODE
      const index = isCall || opcode === STATICCALL ? 1 : 0
      const to = wordToAddress(event.stack(index))
      if (event.pc === pc && event.codeAddress === codeAddress && isCall) {
        const [at, length] = [event.stackWord(3), event.stackWord(4)]
        if (at < MAX_WORD && length < MAX_WORD)
          found ??= {
            to,
            input: event.memory(Number(at), Math.min(Number(length), keptBytes)),
            inputBytes: Number(length),
          }
        event.replace(1, BigInt(standIn))
        event.replace(2, 0)
      } else if (!familiar.has(to)) event.replace(index, BigInt(standIn))
    },
    finish: () => found,
  })
}
