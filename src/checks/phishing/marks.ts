import { type Address, type Hex, toPaddedHex, WORD_MASK } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import type { ArgumentTemplate } from './call-arguments.js'
import { renamedFrom, type Values } from './call-data.js'
import { AGREEING_CODE } from './probe-code.js'

/**
 * Values that are recognised wherever they come out again, because each stands at one place alone.
 */
export interface Marks {
  /** Accounts that agree to whatever they are asked. */
  isMark(address: Address): boolean
  addresses: ReadonlySet<Address>
  valuesFor(template: ArgumentTemplate, style?: MarkStyle): Values
}

/** How arguments are filled besides the ordinary way. */
export interface MarkStyle {
  /** Stands in the place of the first address: a token that the target may know. */
  first?: Address
  /** Stands in the place of the first number: what the token is called by. */
  id?: bigint
  /** Small numbers, for code that counts up to them. */
  isSmall?: boolean
  /** Wide numbers without a zero in them, for code that keeps several things in one. */
  isDense?: boolean
}

/**
 * Accounts made up for a run; templates have no more leaves than {@link MAX_ACCOUNTS} that matter.
 */
const MAX_ACCOUNTS = 16
/**
 * The halves of signatures are below this, so that code that asks for a low `s` (EIP-2) goes on.
 */
const LOW_S = 1n << 252n
/**
 * Seconds. Numbers are also times: one that lies ahead passes for a deadline, and for an amount of
 * any token.
 */
const AHEAD_SECONDS = 3_600n
/** Types too narrow for a time get a small number; 27 is what signatures bring in a byte. */
const TIME_BITS = 32
const BYTE_VALUE = 27n

/** Numbers that have room for an address beside other things. */
const WIDE_BITS = 192
/** Whether such a number, or such bytes, are among the arguments. */
export const isWide = ({ leaves }: ArgumentTemplate): boolean =>
  leaves.some(({ type }) => Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 0) >= WIDE_BITS)

export function createMarks(fork: Fork, random: SeededRandom): Marks {
  const { evm } = fork
  const accounts = Array.from({ length: MAX_ACCOUNTS }, (_, i) => random.address(`mark ${i}`))
  for (const address of accounts) {
    evm.addStranger(address)
    evm.setCode(address, AGREEING_CODE)
  }
  const addresses = new Set(accounts)
  const time = evm.block.timestamp + AHEAD_SECONDS
  const bytesOf = (i: number): Hex => {
    const [r, s] = [0, 1].map((part) => random.between(`bytes ${i} ${part}`, LOW_S >> 1n, LOW_S - 1n))
    return `0x${[r, s].map((word = 0n) => toPaddedHex(word, 32).slice(2)).join('')}${BYTE_VALUE.toString(16)}`
  }
  const valueFor = (type: string, i: number, { isSmall = false, isDense = false }: MarkStyle): bigint | Hex => {
    if (type === 'bytes') return bytesOf(i)
    if (type === 'address') return BigInt(accounts[i % MAX_ACCOUNTS] ?? '0x0')
    if (type === 'bool') return 1n
    const bits = Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 256)
    const word = () => random.between(`word ${i}`, LOW_S >> 1n, LOW_S - 1n)
    // Code refuses what stands beyond the bytes of its type.
    if (type.startsWith('bytes')) return word() & ~(WORD_MASK >> BigInt(8 * Number(type.slice('bytes'.length))))
    if (isDense && bits >= WIDE_BITS) return word()
    if (isSmall) return BigInt(i + 1)
    if (bits === 8) return BYTE_VALUE
    return bits < TIME_BITS ? BigInt(100 + i) : time + 13n * BigInt(i)
  }
  return {
    addresses,
    isMark: (address) => addresses.has(address),
    valuesFor({ leaves }, style = {}) {
      const { first, id } = style
      const place = leaves.findIndex(({ type }) => type === 'address')
      const count = leaves.findIndex(({ type }) => type.startsWith('uint'))
      return leaves.map(({ type }, i) =>
        first !== undefined && i === place
          ? BigInt(first)
          : id !== undefined && i === count
            ? id
            : valueFor(type, i, style),
      )
    },
  }
}

/** The call with an account in the place of the made-up ones. */
export function renamed<Call extends { data: Hex }>(
  { marks }: { marks: Pick<Marks, 'addresses'> },
  call: Call,
  name: Address,
): Call {
  let { data } = call
  for (const mark of marks.addresses) data = renamedFrom(data, mark, name)
  return { ...call, data }
}
