import type { PrivilegedFunction } from '../../bytecode/privileged-functions.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { bytesToHex, type Hex, toPaddedHex } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import type { Subject } from '../bytecode/subject.js'
import type { Plan } from './plans.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Branches of one function that are looked at. */
const MAX_BRANCHES = 64

/**
 * How the present state decides the branches of a function that depend on nothing else: switches,
 * limits, who the owner is not. Two tokens of one code that differ here may behave differently, so
 * that what was learned of one is not taken for the other.
 */
export function fingerprintOf(subject: Subject, { fn }: Pick<PrivilegedFunction, 'fn'>): string {
  return fn.conditions
    .slice(0, MAX_BRANCHES)
    .map(({ term }) => {
      const value = subject.value(term)
      return value === undefined ? '?' : value === 0n ? '0' : '1'
    })
    .join('')
}

/**
 * What a token computes with: its constants, and the words that its sale and its guards ask for. A
 * clone with another limit, mask or fee is another token, however its branches are decided. The
 * accounts that differ from clone to clone go by the part they play.
 */
export function constantsOf(
  { fork, token, market }: Pick<Stage, 'fork' | 'token' | 'market'>,
  { codes, plans, words }: { codes: readonly TokenCode[]; plans: readonly Plan[]; words: readonly Slot[] },
): Hex {
  const holders = plans.flatMap((plan) => plan.holders.flatMap(({ address }) => address ?? []))
  const parts = [...new Set([token, market.pool.address, ...holders])].slice(0, MAX_PARTS)
  const withoutParts = (hex: string) => parts.reduce((text, part, i) => text.replaceAll(part.slice(2), `<${i}>`), hex)
  const guards = codes.flatMap(({ asked }) => [...asked.values()].map(toWord))
  const decisive = words.map(({ value }) => toWord(value)).toSorted()
  const programs = codes.map(({ subject }) => bytesToHex(fork.evm.code(subject.address)))
  return keccak256(new TextEncoder().encode(withoutParts([...programs, ...guards, ...decisive].join())))
}

const toWord = (value: bigint) => toPaddedHex(value, 32)

/** Accounts that play a part; tokens of ordinary makers have some five. */
const MAX_PARTS = 24
