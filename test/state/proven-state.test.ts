import { describe, expect, test } from 'vitest'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../../src/hex.js'
import { createMemoryStateSource } from '../../src/state/memory-state-source.js'
import { stateSourceConformance } from '../../src/state/state-source.conformance.js'
import { createWitness, createWitnessSource, UnknownStateError } from '../../src/state/witness.js'
import { buildWitness } from './build-witness.js'

const { block } = createMemoryStateSource()
const CONTRACT: Address = '0x00000000000000000000000000000000000c0de1'
const HOLDER: Address = '0x0000000000000000000000000000000000401de2'
const code = Uint8Array.of(0x60, 0x01, 0x00)
const storage = new Map([
  [0n, 7n],
  [2n ** 255n, 2n ** 256n - 1n],
])
const accounts = { [CONTRACT]: { code, storage, nonce: 1n }, [HOLDER]: { balance: 5n, nonce: 3n } }

stateSourceConformance('witness', async () => ({
  state: createWitnessSource(createWitness(await buildWitness(accounts)), block),
  world: {
    contract: CONTRACT,
    code,
    storage,
    holder: HOLDER,
    holderBalance: 5n,
    holderNonce: 3n,
    unused: ZERO_ADDRESS,
  },
}))

describe('a witness', () => {
  test('fails to load what it does not hold, by name, and knows no zero for it', async () => {
    const parts = await buildWitness(accounts)
    const bare = createWitnessSource(createWitness({ ...parts, nodes: [], codes: [] }), block)
    await expect(bare.load([{ kind: 'account', address: HOLDER }])).rejects.toThrow(`does not hold account ${HOLDER}`)
    await expect(bare.load([{ kind: 'blockHash', number: 9n }])).rejects.toThrow('does not hold block 9')
    expect(bare.account(HOLDER)).toBeUndefined()
    const codeless = createWitness({ ...parts, codes: [] })
    expect(() => codeless.code(codeless.account(CONTRACT).codeHash)).toThrow(UnknownStateError)
    const stateOnly = (await buildWitness({ ...accounts, [CONTRACT]: { code } })).nodes
    const slotless = createWitness({ ...parts, nodes: parts.nodes.filter((node) => !isStorage(node, stateOnly)) })
    expect(() => slotless.storage(CONTRACT, 0n)).toThrow(`slot ${toPaddedHex(0n, 32)} of ${CONTRACT}`)
  })

  test('computes the root of what it becomes: changed, created, gone', async () => {
    const witness = createWitness(await buildWitness(accounts))
    const { account } = { account: witness.account(CONTRACT) }
    const fresh: Address = '0x00000000000000000000000000000000000f7e54'
    const root = witness.rootAfter([
      { address: HOLDER, account: undefined, isFresh: false, slots: new Map() },
      {
        address: CONTRACT,
        account,
        isFresh: false,
        slots: new Map([
          [0n, 0n],
          [1n, 4n],
        ]),
      },
      { address: fresh, account: { ...account, nonce: 9n }, isFresh: true, slots: new Map([[5n, 6n]]) },
    ])
    const after = {
      [CONTRACT]: {
        code,
        nonce: 1n,
        storage: new Map([
          [1n, 4n],
          [2n ** 255n, 2n ** 256n - 1n],
        ]),
      },
      [fresh]: { code, nonce: 9n, storage: new Map([[5n, 6n]]) },
    }
    expect(root).toBe((await buildWitness(after)).stateRoot)
    expect(witness.rootAfter([])).toBe((await buildWitness(accounts)).stateRoot)
  })

  test('storage from before a contract is created again does not count', async () => {
    const witness = createWitness(await buildWitness(accounts))
    const change = { address: CONTRACT, account: witness.account(CONTRACT), isFresh: true, slots: new Map([[1n, 4n]]) }
    const after = { ...accounts, [CONTRACT]: { code, nonce: 1n, storage: { 1: 4n } } }
    expect(witness.rootAfter([change])).toBe((await buildWitness(after)).stateRoot)
  })
})

/** The leaves of accounts hold two hashes; nodes of storage are all others. */
const isStorage = (node: string, state: readonly string[]) => node.length < 150 && !state.includes(node)
