import { describe, expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import { readContract } from '../../devnet/artifacts.js'
import { type Address, hexToBytes } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { assemble } from '../../state/assemble.js'
import { checkBytecode } from './check-bytecode.js'
import { deploy } from './test-state.conformance.js'

const FORWARDER: Address = '0x000000000000000000000000000000000f0a4de4'

/** Calls the account that it is told with what it is told, for every caller. */
const FORWARDS = `
  0x24 CALLDATASIZE SUB 0x24 0x0 CALLDATACOPY
  0x0 0x0 0x24 CALLDATASIZE SUB 0x0 0x0 0x4 CALLDATALOAD GAS #f1
  @done JUMPI 0x0 0x0 REVERT
  done: STOP`
const OPEN = hexToBytes(assemble(FORWARDS))
/** The same, for the account that signed the words at the end alone. */
const SIGNED = hexToBytes(
  assemble(`
  0x80 0x84 0x0 CALLDATACOPY
  0x20 0x0 0x80 0x0 0x1 GAS STATICCALL @asked JUMPI 0x0 0x0 REVERT
  asked: 0x14 CALLDATASIZE SUB CALLDATALOAD 0x60 SHR 0x0 MLOAD EQ @ours JUMPI 0x0 0x0 REVERT
  ours: ${FORWARDS}`),
)
/** The same in the name of who calls it, as a batch of one's own calls does. */
const OWN = hexToBytes(
  assemble(`
  0x24 CALLDATASIZE SUB 0x24 0x0 CALLDATACOPY
  CALLER 0x60 #1b 0x24 CALLDATASIZE SUB MSTORE
  0x0 0x0 0x14 0x24 CALLDATASIZE SUB ADD 0x0 0x0 0x4 CALLDATALOAD GAS #f1
  @done JUMPI 0x0 0x0 REVERT
  done: STOP`),
)
/** Keeps what it is told. */
const DEAF = hexToBytes(assemble('0x4 CALLDATALOAD 0x0 #55 STOP'))

/**
 * What the code of an example is said to be able to do; `contracts` are addresses that have code.
 */
async function flagsOf(name: string, contracts: readonly Address[] = [], code: Uint8Array = DEAF) {
  const { state, address } = deploy(readContract(name).bytecode)
  const withCode: typeof state = {
    ...state,
    account: (of) => {
      const account = state.account(of)
      return account && contracts.includes(of) ? { ...account, codeHash: keccak256(code) } : account
    },
    code: (hash) => (hash === keccak256(code) ? code : state.code(hash)),
  }
  const { riskFlags } = checkBytecode({ state: withCode, address, chain: ethereum })
  return {
    worst: riskFlags[0]?.threatLevel,
    levels: Object.fromEntries(riskFlags.map(({ id, threatLevel }) => [id, threatLevel])),
  }
}

describe('a sender that a forwarder names', () => {
  test.each([
    ['ForwardedSenderFixed', 'LOW'],
    ['ForwardedSenderListed', 'MEDIUM'],
    ['ForwardedSenderSigned', 'LOW'],
  ])('leaves the owner the owner: %s', async (name, seizure) => {
    const { worst, levels } = await flagsOf(name, [FORWARDER])
    // The owner issues tokens in the open.
    expect(levels).toEqual({ 'hidden-mint': 'MEDIUM', 'balance-seizure': seizure })
    expect(worst).toBe('MEDIUM')
  })

  test('is anyone where the forwarder passes on what it is told, and nothing was signed', async () => {
    expect((await flagsOf('ForwardedSenderFixed', [FORWARDER], OPEN)).levels).toMatchObject({
      'balance-seizure': 'HIGH',
    })
    for (const code of [SIGNED, OWN]) {
      const { levels } = await flagsOf('ForwardedSenderFixed', [FORWARDER], code)
      expect(levels).toMatchObject({ 'balance-seizure': 'LOW' })
    }
  })

  test('is not taken from an account without code', async () => {
    expect((await flagsOf('ForwardedSenderFixed')).levels).toMatchObject({ 'balance-seizure': 'MEDIUM' })
  })

  test.each(['ForgedSender', 'ForgedSenderSettable', 'ForgedSenderUnsigned'])(
    'makes any address the owner where any can be the forwarder: %s',
    async (name) => {
      const { worst, levels } = await flagsOf(name)
      expect(levels).toMatchObject({ 'hidden-mint': 'HIGH', 'balance-seizure': 'HIGH' })
      expect(worst).toBe('HIGH')
    },
  )
})

describe('shares for a deposit', () => {
  test('are a curiosity', async () => {
    expect((await flagsOf('DepositVault')).worst).toBe('LOW')
  })

  test.each([
    ['DepositVaultOfAnything', 'HIGH'],
    ['DepositVaultUnpaid', 'MEDIUM'],
    ['DepositVaultForOne', 'MEDIUM'],
    ['DepositVaultExchanged', 'MEDIUM'],
  ])('are new tokens where nothing, or something else, is given: %s', async (name, status) => {
    expect((await flagsOf(name)).worst).toBe(status)
  })
})

test('a controller in the open is one of many powers, one beside it a backdoor', async () => {
  expect((await flagsOf('GovernedToken')).levels).toMatchObject({ 'allowance-bypass': 'MEDIUM' })
  expect((await flagsOf('GovernedTokenDisguise')).levels).toMatchObject({ 'allowance-bypass': 'HIGH' })
})

test('who announced the next judge of transfers chose it, whichever account puts it in its place', async () => {
  expect((await flagsOf('AnnouncedJudge')).levels).toMatchObject({ 'external-transfer-call': 'MEDIUM' })
  expect((await flagsOf('AnnouncedJudgeOfAnyone')).levels).toMatchObject({ 'external-transfer-call': 'HIGH' })
})

test('things with numbers are counted, and no balances; what is issued beside a number is', async () => {
  expect((await flagsOf('NumberedThings')).worst).toBe('LOW')
  expect((await flagsOf('NumberedDisguise')).worst).toBe('HIGH')
})

test('dates and lengths of records are no balances; a record that is dropped or overwritten is one', async () => {
  expect((await flagsOf('DatedBalances')).levels).toEqual({ 'arbitrary-call': 'LOW' })
  expect((await flagsOf('DatedBalancesIssued')).levels).toMatchObject({ 'hidden-mint': 'MEDIUM' })
  expect((await flagsOf('DatedBalancesDropped')).levels).toMatchObject({ 'balance-seizure': 'MEDIUM' })
  expect((await flagsOf('BalanceOfBlockNumber')).levels).toMatchObject({ 'balance-seizure': 'MEDIUM' })
})
