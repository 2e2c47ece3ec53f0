import { expect, test } from 'vitest'
import { readBenign } from './benign.conformance.js'
import { detectors } from './detectors/index.js'
import { findFlags } from './find-flags.js'
import { createUnknownSubject } from './unknown-storage.conformance.js'

const benign = readBenign()

/**
 * What people meet most: exchanges, wrapped coins, proxies, timelocks, multisigs, and what is
 * approved to.
 */
const EXPECTED = [
  /UniswapV2Router02/,
  /UniswapV2Pair/,
  /WETH9/,
  /TimelockController/,
  /TransparentUpgradeableProxy/,
  /ERC1967Proxy/,
  /BeaconProxy/,
  /OpenZeppelin Forwarded/,
  ...'AllowanceHub ManyCalls Vault VaultProxy OrderBook EntryPoint DelayedExecutor IssuedDollar FeeDollar'
    .split(' ')
    .map((name) => new RegExp(`^own shape ${name}$`)),
]

test('there is widely used code to look at', () => {
  const names = benign.map(({ name }) => name)
  expect(EXPECTED.filter((pattern) => !names.some((name) => pattern.test(name)))).toEqual([])
})

/** Of the building blocks, those that issue for something given, or count things with numbers. */
const QUIET = [/OpenZeppelin Vault$/, /OpenZeppelin Collectible$/, /OpenZeppelin Multi$/, / ERC4626$/, / ERC721$/]

test.each(
  benign.flatMap(({ name, code }) => (QUIET.some((pattern) => pattern.test(name)) ? [[name, code] as const] : [])),
)('%s has no flag above LOW', (_, code) => {
  const { flags } = findFlags(detectors, [createUnknownSubject(code)], () => false)
  expect(
    flags.filter(({ threatLevel }) => threatLevel !== 'LOW').map(({ id, evidence }) => ({ id, evidence })),
  ).toEqual([])
})

test.each(benign.map(({ name, code }) => [name, code] as const))(
  '%s is seen completely and has no HIGH flag',
  (_, code) => {
    const subject = createUnknownSubject(code)
    // What is found is asked here, not how long it takes on a busy machine.
    const { flags, failed } = findFlags(detectors, [subject], () => false)
    expect(failed).toEqual([])
    expect(subject.facts.gaps).toEqual([])
    expect(
      flags.filter(({ threatLevel }) => threatLevel === 'HIGH').map(({ id, evidence }) => ({ id, evidence })),
    ).toEqual([])
  },
)
