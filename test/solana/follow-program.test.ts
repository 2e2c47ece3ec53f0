import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { PROGRAM_DATA_HEADER_BYTES, programDataAddress, type SolanaAccount } from '../../src/solana/account.js'
import { addressAt, type SolanaAddress } from '../../src/solana/address.js'
import { MAINNET_EPOCHS } from '../../src/solana/cluster-clock.js'
import { type Instruction, packed, readonly, signer, writable } from '../../src/solana/instruction.js'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/programs.js'
import { followProgram } from '../../src/solana/sbf/follow-program.js'
import { serialiseCall } from '../../src/solana/sbf/program-input.js'
import { readElf } from '../../src/solana/sbf/read-elf.js'
import { createFork } from '../../src/solana/svm/fork.js'
import { loadLiteSvm } from '../../src/solana/svm/load-litesvm.js'
import { createMachineRoom } from '../../src/solana/svm/svm-machine.js'

/**
 * The token programs, as compilers of Rust leave them: hundreds of kilobytes with tables, calls and
 * relocations. What they do here must be what the virtual machine sees.
 */
const clock = { slot: 400_000_000n, epochStart: 0n, epoch: 900n, leaderEpoch: 901n, unixTime: 1_700_000_000n }
const fresh = (): SolanaAddress => addressAt(randomBytes(32))
const owned = (owner: SolanaAddress, data: Uint8Array): SolanaAccount => ({
  lamports: 1_000_000_000n,
  owner,
  executable: false,
  data,
})

function stageFor(program: SolanaAddress) {
  const [mint, from, to, owner] = [fresh(), fresh(), fresh(), fresh()]
  const bytes = (address: SolanaAddress) => Uint8Array.from(serialiseKey(address))
  const holding = (amount: bigint, state = 1) => {
    const data = new Uint8Array(165)
    data.set(bytes(mint), 0)
    data.set(bytes(owner), 32)
    data.set(packed([64, amount]), 64)
    data[108] = state
    return owned(program, data)
  }
  const mintData = new Uint8Array(82)
  mintData.set(packed([64, 1_000_000n]), 36)
  mintData[44] = 6
  mintData[45] = 1
  const accounts = new Map<SolanaAddress, SolanaAccount>([
    [mint, owned(program, mintData)],
    [from, holding(1_000n)],
    [to, holding(5n)],
    [owner, owned(SYSTEM_PROGRAM, new Uint8Array())],
  ])
  const transfer = (amount: bigint, decimals = 6): Instruction => ({
    program,
    accounts: [writable(from), readonly(mint), writable(to), signer(owner)],
    data: packed([8, 12], [64, amount], [8, decimals]),
  })
  return { mint, from, to, owner, accounts, holding, transfer }
}

const serialiseKey = (address: SolanaAddress) =>
  serialiseCall({ program: address, accounts: [], data: new Uint8Array(), clock }).bytes.subarray(-32)

/** The same call, in the virtual machine and followed. */
function both(program: SolanaAddress, instruction: Instruction, accounts: ReadonlyMap<SolanaAddress, SolanaAccount>) {
  const { machine } = createMachineRoom(loadLiteSvm()).take(new Map())
  const fork = createFork(machine, { accounts, clock, epochs: MAINNET_EPOCHS })
  const payer = instruction.accounts[3]?.address ?? fresh()
  const { ok, error, units } = fork.simulate(payer, [instruction])
  const code = machine.get(program)
  const codeAddress = code && programDataAddress(code)
  const held = codeAddress ? machine.get(codeAddress)?.data.subarray(PROGRAM_DATA_HEADER_BYTES) : code?.data
  const input = serialiseCall({
    program,
    clock,
    data: instruction.data,
    accounts: instruction.accounts.map((meta) => ({
      address: meta.address,
      account: accounts.get(meta.address),
      isWritable: meta.writable,
      isSigner: meta.signer,
    })),
  })
  const followed = followProgram(readElf(held ?? new Uint8Array()), input)
  return { machine: ok ? 0n : BigInt(error?.code ?? -1), units, followed }
}

test.each([
  ['token program', TOKEN_PROGRAM],
  ['token program of 2022', TOKEN_2022_PROGRAM],
])('%s: what it says of a transfer is what the virtual machine says', (_, program) => {
  const { accounts, transfer, from, holding } = stageFor(program)
  const fine = both(program, transfer(7n), accounts)
  expect([fine.machine, fine.followed.result, fine.followed.lostAt]).toEqual([0n, 0n, ''])
  expect(fine.followed.decisions.length).toBeGreaterThan(3)
  const tooMuch = both(program, transfer(1_001n), accounts)
  expect([tooMuch.machine, tooMuch.followed.result]).toEqual([1n, 1n])
  const wrongDecimals = both(program, transfer(7n, 9), accounts)
  expect([wrongDecimals.machine, wrongDecimals.followed.result]).toEqual([18n, 18n])
  const frozen = both(program, transfer(7n), new Map([...accounts, [from, holding(1_000n, 2)]]))
  expect([frozen.machine, frozen.followed.result]).toEqual([17n, 17n])
})
