import type { Inspector } from '../../evm/inspector.js'
import { ADDRESS_MASK, type Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'

/** What some code has asked about what kind of account a trader is. */
export interface CodeReads {
  /** How much code he has. */
  size: boolean
  /** Which code that is, by its hash or its bytes. */
  content: boolean
  /** Who signed the transaction. */
  origin: boolean
}

const ORIGIN = 0x32
const EXTCODESIZE = 0x3b
const EXTCODECOPY = 0x3c
const EXTCODEHASH = 0x3f

/**
 * Whether code at the addresses of interest has asked for the code of the account, or for the
 * signer, whatever it did with the answer.
 */
export function createCodeReadsInspector(
  account: Address,
  isOfInterest: (codeAddress: Address) => boolean,
): Inspector<CodeReads> {
  const reads = { size: false, content: false, origin: false }
  const own = BigInt(account)
  return keepCompiled('code reads', {
    opcodes: [ORIGIN, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH],
    onStep(event) {
      const { opcode, codeAddress } = event
      if (!isOfInterest(codeAddress)) return
      if (opcode === ORIGIN) reads.origin = true
      else if ((event.stack(0) & ADDRESS_MASK) !== own) return
      else if (opcode === EXTCODESIZE) reads.size = true
      else reads.content = true
    },
    finish: () => reads,
  })
}
