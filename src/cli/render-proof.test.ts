import { expect, test } from 'vitest'
import { NoProofError, renderProofs } from './render-proof.js'

const OWNER = `0x${'0a'.repeat(20)}`
const TOKEN = `0x${'0b'.repeat(20)}`
const BUYER = `0x${'0c'.repeat(20)}`
const word = (digit: string) => `0x${digit.repeat(64)}`

const step = { from: OWNER, to: TOKEN, input: '0x04288dba', value: '7', waitSeconds: 3_600 }
const sale = { from: BUYER, to: TOKEN, input: '0x12', value: '0', waitSeconds: 0 }
const scene = { code: [{ address: BUYER, code: '0xfe' }], steps: [{ ...sale, input: '0x' }], sale }
const power = {
  effect: 'blocks-sells',
  worstCase: 'all sells\nwere refused',
  delaySeconds: 0,
  holder: { kind: 'account' },
}

const reportOf = (proof: object | null, more: object = {}) => ({
  block: { number: 123 },
  honeypotResponse: { powers: [{ ...power, ...more, proof }], powersTried: { scene } },
})

test('prints what comes before, what the power takes, the sale, and the way back', () => {
  const settings = [{ address: TOKEN, slot: word('1'), value: word('2') }]
  expect(renderProofs(reportOf({ settings, steps: [step] })).split('\n')).toEqual([
    '# anvil --fork-url <node> --fork-block-number 123',
    '# export ETH_RPC_URL=http://127.0.0.1:8545',
    '# Two people buy, and let the exchange take what they bought.',
    `cast rpc anvil_setCode ${BUYER} 0xfe`,
    `cast rpc anvil_impersonateAccount ${BUYER}`,
    `cast rpc anvil_setBalance ${BUYER} 0x21e19e0c9bab2400000`,
    `cast send --unlocked --gas-limit 8000000 --from ${BUYER} --value 0 ${TOKEN}`,
    `KEPT=$(cast rpc evm_snapshot | tr -d '"'); NOW=$(cast block latest --field timestamp)`,
    '# blocks-sells: all sells were refused',
    `cast rpc anvil_setStorageAt ${TOKEN} ${word('1')} ${word('2')}`,
    'cast rpc evm_increaseTime 0xe10',
    'cast rpc evm_mine',
    `cast rpc anvil_impersonateAccount ${OWNER}`,
    `cast rpc anvil_setBalance ${OWNER} 0x21e19e0c9bab2400007`,
    `cast send --unlocked --gas-limit 8000000 --from ${OWNER} --value 7 ${TOKEN} 0x04288dba`,
    '# The sale that went through before.',
    `cast rpc anvil_impersonateAccount ${BUYER}`,
    `cast rpc anvil_setBalance ${BUYER} 0x21e19e0c9bab2400000`,
    `cast send --unlocked --gas-limit 8000000 --from ${BUYER} --value 0 ${TOKEN} 0x12`,
    'cast rpc evm_revert "$KEPT"; cast rpc evm_setTime "$NOW"',
    '',
  ])
})

test('waits before the calls of a timelock for what it makes its holder wait', () => {
  const slow = reportOf({ settings: [], steps: [] }, { holder: { kind: 'timelock' }, delaySeconds: 60 })
  expect(renderProofs(slow)).toContain('cast rpc evm_increaseTime 0x3c\n')
})

test.each([
  ['no power has a proof', reportOf(null)],
  ['it is of another check', { bytecodeResponse: {} }],
  ['an address is a command', reportOf({ settings: [], steps: [{ ...step, to: '$(rm -rf ~)' }] })],
  ['an amount is none', reportOf({ settings: [], steps: [{ ...step, value: '1; true' }] })],
])('refuses a report where %s', (_, report) => {
  expect(() => renderProofs(report)).toThrow()
})

test('says that there is no proof', () => {
  expect(() => renderProofs(reportOf(null))).toThrow(NoProofError)
})
