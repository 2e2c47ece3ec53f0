import { keccakHex } from '../../src/evm/keccak-words.js'
import { bytesToHex, type Hex, hexToBytes } from '../../src/hex.js'
import { opcodeByName } from '../../src/instructions/opcodes.js'
import type { GrammarPair } from './token-grammar.js'

/*
 * The sentences of the token grammar once more, written down as no compiler does: selectors are
 * told apart by XOR, one body serves both kinds of transfer, its parties lie in memory, mappings
 * hash the slot before the key, and what repeats is written out instead of called.
 */

const [FROM, TO, AMOUNT] = ['0x80 MLOAD', '0xa0 MLOAD', '0xc0 MLOAD'] as const
/** Slots. */
const [OWNER, SUPPLY, BALANCES, ALLOWED, KEEPERS] = ['0', '1', '2', '3', '4'] as const
const [STOP, MARKED, LEVEL, NUMBER, KEEPER, COUNT] = ['5', '6', '7', '8', '9', '10'] as const

/** The place of a key in the mapping of a slot. */
const at = (slot: string, key: string) => `${key} 0x20 MSTORE ${slot} 0 MSTORE 0x40 0 KECCAK256`
const both = (slot: string, first: string, second: string) =>
  `${at(slot, first)} 0 MSTORE ${second} 0x20 MSTORE 0x40 0 KECCAK256`

interface Leaf {
  /** Leaves one or zero on the stack. */
  condition: string
  signature?: string
  /** What the function of that signature writes. */
  setter?: string
  noted?: string
}

const marks = (of: string): Leaf => ({
  condition: `${at(MARKED, of)} SLOAD`,
  signature: 'put(address,bool)',
  setter: `36 CALLDATALOAD ISZERO ISZERO ${at(MARKED, '4 CALLDATALOAD')} SSTORE`,
})
const flag: Leaf = {
  condition: `${STOP} SLOAD`,
  signature: 'put(bool)',
  setter: `4 CALLDATALOAD ISZERO ISZERO ${STOP} SSTORE`,
}
const seventh = (of: string): Leaf => ({ condition: `3 7 ${of} MOD EQ` })

const LEAVES: Readonly<Record<string, Leaf>> = {
  Switch: flag,
  Sender: marks(FROM),
  Receiver: marks(TO),
  Origin: marks('ORIGIN'),
  Level: {
    condition: `3 ${at(LEVEL, FROM)} SLOAD GT`,
    signature: 'put(address,uint256)',
    setter: `36 CALLDATALOAD ${at(LEVEL, '4 CALLDATALOAD')} SSTORE`,
  },
  Amount: {
    condition: `${NUMBER} SLOAD ${AMOUNT} GT`,
    signature: 'put(uint256)',
    setter: `4 CALLDATALOAD ${NUMBER} SSTORE`,
  },
  Date: {
    condition: `${NUMBER} SLOAD TIMESTAMP GT`,
    signature: 'put(uint256)',
    setter: `4 CALLDATALOAD ${NUMBER} SSTORE`,
  },
  Either: { ...flag, condition: `${STOP} SLOAD ${FROM} ${OWNER} SLOAD EQ ISZERO AND` },
  Asked: {
    condition: `0 0x100 MSTORE ${KEEPER} SLOAD ISZERO @unasked JUMPI
      224 ${selector('refuses(address)')} SWAP1 SHL 0x120 MSTORE ${FROM} 0x124 MSTORE
      0x20 0x140 0x24 0x120 0 ${KEEPER} SLOAD GAS CALL ISZERO @fail JUMPI
      0x140 MLOAD 0x100 MSTORE unasked: 0x100 MLOAD`,
    signature: 'put(address)',
    setter: `4 CALLDATALOAD ${KEEPER} SSTORE`,
  },
  Time: seventh('TIMESTAMP'),
  Height: seventh('NUMBER'),
  Gas: { condition: '50000 GAS LT' },
  Price: { condition: '7 GASPRICE GT' },
  Miner: seventh('COINBASE'),
  Coins: { condition: '7 SELFBALANCE GT' },
  Digits: seventh(FROM),
  Count: { condition: `50 ${COUNT} SLOAD GT`, noted: `1 ${COUNT} SLOAD ADD ${COUNT} SSTORE` },
}

/** What one has is lessened by the amount in memory at 0xe0, where there is as much. */
const TAKE = `0xe0 MLOAD ${at(BALANCES, FROM)} SLOAD LT @fail JUMPI
  0xe0 MLOAD ${at(BALANCES, FROM)} SLOAD SUB ${at(BALANCES, FROM)} SSTORE`
const give = (amount: string) => `${amount} ${at(BALANCES, TO)} SLOAD ADD ${at(BALANCES, TO)} SSTORE`
const TOLD = `${AMOUNT} 0 MSTORE ${TO} ${FROM} ${keccakHex(new TextEncoder().encode('Transfer(address,address,uint256)'))} 0x20 0 LOG3`
const MOVE = `${AMOUNT} 0xe0 MSTORE ${TAKE} ${give(AMOUNT)} ${TOLD}`
const DONE = '1 0 MSTORE 0x20 0 RETURN'

/** `{c}` is the condition. */
const OUTCOMES: Readonly<Record<string, string>> = {
  Reverts: `{c} @fail JUMPI ${MOVE} ${DONE}`,
  Refuses: `{c} @refused JUMPI ${MOVE} ${DONE} refused: 0 0 MSTORE 0x20 0 RETURN`,
  Pretends: `{c} @done JUMPI ${MOVE} done: ${DONE}`,
  Lessens: `${AMOUNT} 0xe0 MSTORE ${TAKE} {c} ISZERO @whole JUMPI 100 0xe0 MLOAD DIV 0xe0 MSTORE
    whole: ${give('0xe0 MLOAD')} ${TOLD} ${DONE}`,
  Diverts: `{c} ISZERO @kept JUMPI ${OWNER} SLOAD 0xa0 MSTORE kept: ${MOVE} ${DONE}`,
  Overcharges: `${AMOUNT} 0xe0 MSTORE {c} ISZERO @fair JUMPI 1000 ${at(BALANCES, FROM)} SLOAD ADD 0xe0 MSTORE
    fair: ${TAKE} ${give(AMOUNT)} ${TOLD} ${DONE}`,
  Underflows: `{c} 200 SHL ${AMOUNT} ADD 0xe0 MSTORE ${TAKE} ${give(AMOUNT)} ${TOLD} ${DONE}`,
}
const HARMLESS = `{c} ISZERO @quiet JUMPI ${AMOUNT} 0 MSTORE
  ${keccakHex(new TextEncoder().encode('Noted(uint256)'))} 0x20 0 LOG1 quiet: ${MOVE} ${DONE}`

const GUARDS: Readonly<Record<string, string>> = {
  Owner: `${OWNER} SLOAD CALLER XOR @fail JUMPI`,
  Anyone: '',
  Role: `${at(KEEPERS, 'CALLER')} SLOAD ISZERO @fail JUMPI`,
}

/** Creation code of the trap and the twin of each pair, by the names of their contracts. */
export const assembleGrammar = (pairs: readonly GrammarPair[]): Map<string, Hex> =>
  new Map(
    pairs.flatMap(({ name, leaf, outcome, mover }): [string, Hex][] => {
      const { signature = '', setter = '', ...fixed } = LEAVES[leaf] ?? {}
      const body = OUTCOMES[outcome]
      const { condition = undefined, noted = '' } = fixed as Partial<Leaf>
      if (body === undefined || condition === undefined) throw new Error(`no sentence ${name}`)
      const isMoved = setter !== ''
      const moved = `${GUARDS[mover] ?? ''} ${setter} STOP`
      return [
        [`T${name}`, token(condition, body, noted, isMoved ? { [signature]: moved } : {})],
        [`H${name}`, token(condition, isMoved ? body : HARMLESS, noted, {})],
      ]
    }),
  )

function token(condition: string, body: string, noted: string, others: Readonly<Record<string, string>>): Hex {
  const functions: Readonly<Record<string, string>> = {
    'transfer(address,uint256)': 'CALLER 0x80 MSTORE 4 CALLDATALOAD 0xa0 MSTORE 36 CALLDATALOAD 0xc0 MSTORE @send JUMP',
    'transferFrom(address,address,uint256)': `4 CALLDATALOAD 0x80 MSTORE 36 CALLDATALOAD 0xa0 MSTORE
      68 CALLDATALOAD 0xc0 MSTORE ${AMOUNT} ${both(ALLOWED, FROM, 'CALLER')} SLOAD LT @fail JUMPI
      ${AMOUNT} ${both(ALLOWED, FROM, 'CALLER')} SLOAD SUB ${both(ALLOWED, FROM, 'CALLER')} SSTORE @send JUMP`,
    'approve(address,uint256)': `36 CALLDATALOAD ${both(ALLOWED, 'CALLER', '4 CALLDATALOAD')} SSTORE ${DONE}`,
    'balanceOf(address)': `${at(BALANCES, '4 CALLDATALOAD')} SLOAD 0 MSTORE 0x20 0 RETURN`,
    'allowance(address,address)': `${both(ALLOWED, '4 CALLDATALOAD', '36 CALLDATALOAD')} SLOAD 0 MSTORE 0x20 0 RETURN`,
    'totalSupply()': `${SUPPLY} SLOAD 0 MSTORE 0x20 0 RETURN`,
    ...others,
  }
  const entries = Object.entries(functions).map(
    ([signature, code], i) => `DUP1 ${selector(signature)} XOR @after${i} JUMPI ${code} after${i}:`,
  )
  const runtime = assemble(
    `224 0 CALLDATALOAD SWAP1 SHR ${entries.join(' ')} fail: 0 0 REVERT send: ${noted} ${body.replace('{c}', condition)}`,
  )
  const large = '200 1 SWAP1 SHL'
  const supply = '24 10 EXP'
  const created = `CALLER ${OWNER} SSTORE ${supply} ${SUPPLY} SSTORE ${supply} ${at(BALANCES, 'CALLER')} SSTORE
    1 ${at(KEEPERS, 'CALLER')} SSTORE ${large} ${NUMBER} SSTORE`
  const copied = (start: number) =>
    `${runtime.length} DUP1 0x${start.toString(16).padStart(4, '0')} 0 CODECOPY 0 RETURN`
  const start = assemble(`${created} ${copied(0)}`).length
  return bytesToHex(Uint8Array.from([...assemble(`${created} ${copied(start)}`), ...runtime]))
}

function selector(signature: string): string {
  return keccakHex(new TextEncoder().encode(signature)).slice(0, 10)
}

/**
 * Bytes of a text: instructions by their names; numbers, which are pushed with as many digits as
 * they are written with in hex, or need; `name:` a place to jump to, and `@name` its position.
 */
function assemble(text: string): Uint8Array {
  const bytes: number[] = []
  const places = new Map<string, number>()
  const asked: [at: number, name: string][] = []
  for (const word of text.trim().split(/\s+/)) {
    if (word.endsWith(':')) {
      places.set(word.slice(0, -1), bytes.length)
      bytes.push(opcodeByName('JUMPDEST'))
    } else if (word.startsWith('@')) {
      bytes.push(opcodeByName('PUSH2'), 0, 0)
      asked.push([bytes.length - 2, word.slice(1)])
    } else if (/^\d/.test(word)) {
      const digits = word.startsWith('0x') ? word.slice(2) : Number(word).toString(16)
      const data = hexToBytes(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
      bytes.push(opcodeByName(`PUSH${data.length}`), ...data)
    } else bytes.push(opcodeByName(word))
  }
  for (const [at, name] of asked) {
    const place = places.get(name)
    if (place === undefined) throw new Error(`no place is called ${name}`)
    bytes[at] = place >> 8
    bytes[at + 1] = place & 0xff
  }
  return Uint8Array.from(bytes)
}
