import { type Hardfork, hardforks } from '../chains/chain.js'
import { opcodes } from '../instructions/opcodes.js'

export type RuleSet = Hardfork

/** Oldest first. */
export const ruleSets: readonly RuleSet[] = hardforks

/**
 * All that differs between rule sets, as plain numbers and flags, so that the interpreter never
 * asks for a fork by name.
 */
export interface Rules {
  name: RuleSet
  /**
   * What each opcode asks for, packed so that the interpreter loads once per step: bits 0 to 15 its
   * price before what depends on its operands, bits 16 to 20 the stack height it needs, bits 21 to
   * 31 the largest stack height it may find. {@link NOT_AN_INSTRUCTION} for bytes that have no
   * meaning under these rules: no stack height satisfies it.
   */
  instructions: Int32Array
  /** EIP-2929: what the first touch of an account or slot costs on top of the warm price. */
  coldAccountGas: number
  coldSlotGas: number
  expByteGas: number
  /** EIP-150: a frame keeps one 64th of its gas. */
  keepsOne64th: boolean
  /** EIP-161: empty accounts do not exist, new contracts start with nonce 1. */
  noEmptyAccounts: boolean
  /**
   * EIP-2: too little gas for the code deposit fails the creation; a creating transaction costs
   * 32000 more.
   */
  paysForDeposit: boolean
  sstore: SstoreRules
  selfdestructRefund: number
  /** EIP-6780: SELFDESTRUCT deletes only what the same transaction created. */
  selfdestructOnlyNew: boolean
  newAccountOnSelfdestruct: boolean
  /** EIP-8246: what a contract that ends still has is not burnt. */
  keepsBalances: boolean
  /** EIP-7708: moving native coins leaves a log. */
  logsTransfers: boolean
  /** EIP-170, EIP-7954; infinite before. */
  maxCodeBytes: number
  /** EIP-3860, EIP-7954; infinite before, and 0 per word. */
  maxInitCodeBytes: number
  initCodeWordGas: number
  /** EIP-3541. */
  refusesEfCode: boolean
  /** EIP-7702. */
  delegations: boolean
  calldataByteGas: number
  /** EIP-7623: gas per token of calldata, four in a byte that is not zero; 0 without the floor. */
  floorTokenGas: number
  /** Tokens of a zero byte there: one, and since EIP-7976 as many as of any other. */
  floorZeroTokens: number
  /** EIP-7981: gas per byte of the access list, on top and towards the floor; 0 before. */
  accessListByteGas: number
  /** EIP-3529: at most this part of the gas used comes back. */
  refundQuotient: number
  accessLists: boolean
  /** EIP-1559: a base fee that is burnt. */
  baseFee: boolean
  /** No tip is paid whatever is offered, and GASPRICE answers the base fee: on Arbitrum alone. */
  dropsTips: boolean
  /** EIP-3651. */
  warmCoinbase: boolean
  /** EIP-4844: largest number of blobs in one transaction, 0 without blobs. */
  maxBlobs: number
  /** EIP-7825; infinite before. */
  maxTransactionGas: number
}

export interface SstoreRules {
  /** EIP-1283 and its successors charge for the net change; the rules before for each change. */
  net: boolean
  /** What it costs to write nothing new, or to change what was changed before. */
  dirtyGas: number
  resetGas: number
  clearRefund: number
  /** EIP-2200: fails with this much gas or less. */
  sentryGas: number
}

/** Of calldata, towards the floor of EIP-7623. */
export const TOKENS_PER_BYTE = 4
const SET_GAS = 20_000
export const SSTORE_SET_GAS = SET_GAS

/** The rules of one fork. Tables are made once per fork and shared. */
export function rulesFor(name: RuleSet): Rules {
  const known = made.get(name)
  if (known !== undefined) return known
  const rules = makeRules(name)
  made.set(name, rules)
  return rules
}

const made = new Map<RuleSet, Rules>()

function makeRules(name: RuleSet): Rules {
  const rank = ruleSets.indexOf(name)
  const since = (fork: RuleSet) => rank >= ruleSets.indexOf(fork)
  /** The value of the newest listed fork that has begun. */
  const newest = <T>(first: T, ...changes: [RuleSet, T][]) =>
    changes.reduce((value, [fork, next]) => (since(fork) ? next : value), first)
  return {
    name,
    instructions: instructionTable(since, newest),
    coldAccountGas: since('berlin') ? 2_500 : 0,
    coldSlotGas: since('berlin') ? 2_000 : 0,
    expByteGas: newest(10, ['spuriousDragon', 50]),
    keepsOne64th: since('tangerineWhistle'),
    noEmptyAccounts: since('spuriousDragon'),
    paysForDeposit: since('homestead'),
    sstore: {
      net: name === 'constantinople' || since('istanbul'),
      dirtyGas: newest(200, ['istanbul', 800], ['berlin', 100]),
      resetGas: newest(5_000, ['berlin', 2_900]),
      clearRefund: newest(15_000, ['london', 4_800]),
      sentryGas: newest(-1, ['istanbul', 2_300]),
    },
    selfdestructRefund: newest(24_000, ['london', 0]),
    selfdestructOnlyNew: since('cancun'),
    newAccountOnSelfdestruct: since('tangerineWhistle'),
    keepsBalances: since('amsterdam'),
    logsTransfers: since('amsterdam'),
    maxCodeBytes: newest(Number.POSITIVE_INFINITY, ['spuriousDragon', 24_576], ['amsterdam', 65_536]),
    maxInitCodeBytes: newest(Number.POSITIVE_INFINITY, ['shanghai', 49_152], ['amsterdam', 131_072]),
    initCodeWordGas: newest(0, ['shanghai', 2]),
    refusesEfCode: since('london'),
    delegations: since('prague'),
    calldataByteGas: newest(68, ['istanbul', 16]),
    floorTokenGas: newest(0, ['prague', 10], ['amsterdam', 16]),
    floorZeroTokens: newest(1, ['amsterdam', TOKENS_PER_BYTE]),
    accessListByteGas: newest(0, ['amsterdam', 64]),
    refundQuotient: newest(2, ['london', 5]),
    accessLists: since('berlin'),
    baseFee: since('london'),
    dropsTips: false,
    warmCoinbase: since('shanghai'),
    maxBlobs: newest(0, ['cancun', 6], ['prague', 9], ['osaka', 6]),
    maxTransactionGas: newest(Number.POSITIVE_INFINITY, ['osaka', 2 ** 24]),
  }
}

type Since = (fork: RuleSet) => boolean
type Newest = (first: number, ...changes: [RuleSet, number][]) => number

/** EIP-150, EIP-1884 and EIP-2929 moved these prices. */
function movedGas(newest: Newest): Record<string, number> {
  const external = newest(20, ['tangerineWhistle', 700], ['berlin', 100])
  const call = newest(40, ['tangerineWhistle', 700], ['berlin', 100])
  return {
    SLOAD: newest(50, ['tangerineWhistle', 200], ['istanbul', 800], ['berlin', 100]),
    BALANCE: newest(20, ['tangerineWhistle', 400], ['istanbul', 700], ['berlin', 100]),
    EXTCODEHASH: newest(400, ['istanbul', 700], ['berlin', 100]),
    EXTCODESIZE: external,
    EXTCODECOPY: external,
    CALL: call,
    CALLCODE: call,
    DELEGATECALL: call,
    STATICCALL: call,
    SELFDESTRUCT: newest(0, ['tangerineWhistle', 5_000]),
  }
}

/** Words that a stack may hold (Yellow Paper, section 9.1). */
export const STACK_LIMIT = 1_024

/** Needs a height of 31 and finds room for none. */
export const NOT_AN_INSTRUCTION = 31 << 16

function instructionTable(since: Since, newest: Newest): Int32Array {
  const instructions = new Int32Array(256).fill(NOT_AN_INSTRUCTION)
  const moved = movedGas(newest)
  for (const { code, name, pops, pushes, gas, since: introduced } of opcodes) {
    if (!since(introduced)) continue
    instructions[code] = (moved[name] ?? gas) | (pops << 16) | ((STACK_LIMIT + pops - pushes) << 21)
  }
  return instructions
}
