import { expect, test } from 'vitest'
import type { SolanaAccount } from '../../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../address.js'
import type { Instruction } from '../../instruction.js'
import { programAddress } from '../../pda.js'
import { TOKEN_PROGRAM } from '../../programs.js'
import type { TransactionResult } from '../../transaction-result.js'
import { POOL_LAYOUTS } from '../layouts.js'
import { readPool } from '../read-pool.js'
import { sendSwap } from '../swap.js'
import type { SwapLeg } from '../swap-request.js'

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const { program = key(0), vaultOwner = key(0) } = POOL_LAYOUTS.find(({ id }) => id === 'raydium-amm-v4') ?? {}
const [at, trader, market, book] = [key(1), key(7), key(51), key(52)]

function account(owner: SolanaAddress, bytes: number, keys: Record<number, SolanaAddress>): SolanaAccount {
  const data = new Uint8Array(bytes)
  for (const [offset, of] of Object.entries(keys)) data.set(addressBytes(of), Number(offset))
  return { lamports: 1n, owner, executable: false, data }
}

const stored = account(program, 752, {
  ...{ 336: key(12), 368: key(13), 400: key(10), 432: key(11), 464: key(14) },
  ...{ 496: key(50), 528: market, 560: book, 592: key(53) },
})
const listing = account(book, 388, { 117: key(61), 165: key(62), 253: key(63), 285: key(64), 317: key(65) })
// The first nonce whose address has no key.
const nonces = Array.from({ length: 256 }, (_, i) => Uint8Array.of(i, 0, 0, 0, 0, 0, 0, 0))
const nonce = nonces.find((each) => programAddress(book, [addressBytes(market), each])) ?? new Uint8Array(8)
listing.data.set(nonce, 45)

const leg = (mint: number, vault: number, own: number): SwapLeg => ({
  ...{ mint: key(mint), tokenProgram: TOKEN_PROGRAM, vault: key(vault), account: key(own), extra: [] },
})

/** A program that answers each instruction in turn with one of these. */
function send(answers: readonly (string | undefined)[], hasMarket = true) {
  const pool = readPool(at, stored, 0n) ?? expect.unreachable()
  const sent: Instruction[] = []
  const read = (of: SolanaAddress) => (of === at ? stored : of === market && hasMarket ? listing : undefined)
  const request = { pool, trader, amountIn: 5n, from: leg(10, 12, 20), to: leg(11, 13, 21) }
  const result = sendSwap(read, request, (instruction) => {
    const name = answers[sent.push(instruction) - 1]
    const error = name === undefined ? undefined : { instruction: 0, name, code: undefined }
    return { ok: error === undefined, error } as TransactionResult
  })
  return { ok: result?.ok, tags: sent.map(({ data }) => data[0]), last: sent.at(-1) }
}

test('a program that knows the short form is told that alone', () => {
  expect(send([undefined])).toMatchObject({ ok: true, tags: [16] })
})

test('one that does not know it is told the elder form, with the eighteen accounts of its order book', () => {
  const { ok, tags, last } = send(['InvalidInstructionData', undefined])
  expect([ok, tags]).toEqual([true, [16, 9]])
  const owner = programAddress(book, [addressBytes(market), nonce])
  expect(
    last?.accounts.map(({ address, writable, signer }) => `${signer ? 's' : ''}${writable ? 'w' : 'r'} ${address}`),
  ).toEqual([
    `r ${TOKEN_PROGRAM}`,
    `w ${at}`,
    `r ${vaultOwner}`,
    `w ${key(50)}`,
    `w ${key(53)}`,
    `w ${key(12)}`,
    `w ${key(13)}`,
    `r ${book}`,
    `w ${market}`,
    `w ${key(64)}`,
    `w ${key(65)}`,
    `w ${key(63)}`,
    `w ${key(61)}`,
    `w ${key(62)}`,
    `r ${owner}`,
    `w ${key(20)}`,
    `w ${key(21)}`,
    `sr ${trader}`,
  ])
})

test('a swap that the program refuses for another reason is not tried again', () => {
  expect(send(['Custom'])).toMatchObject({ ok: false, tags: [16] })
})

test('without its order book the refusal of the short form stands', () => {
  expect(send(['InvalidInstructionData'], false)).toMatchObject({ ok: false, tags: [16] })
})
