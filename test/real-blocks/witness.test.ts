import { describe, expect, test } from 'vitest'
import { type Address, toPaddedHex } from '../../src/hex.js'
import { UnknownStateError } from '../../src/state/witness.js'
import { hasSharedData } from '../conformance/shared-data.js'
import { openWitness } from './async-witness.js'
import { blockNames, readBlock } from './block-names.js'
import { assumeUnwritten, supplement } from './supplements.js'

const open = (name: string) => {
  const file = readBlock(name)
  return { file, witness: openWitness(file) }
}
const WETH: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const NOBODY: Address = '0x00000000000000000000000000000000a55a0001'

describe.runIf(hasSharedData())('the state that a block proves', () => {
  test.each(blockNames())('of %s has the nonces that its transactions were signed with', async (name) => {
    const { file, witness } = open(name)
    const sent = new Map<Address, bigint>()
    for (const { from, request } of file.transactions) {
      if (request === undefined) continue
      const before = sent.get(from) ?? (await witness.account(from)).nonce
      expect(BigInt(request.nonce)).toBe(before)
      sent.set(
        from,
        before + 1n + BigInt(request.authorizationList?.filter(({ authority }) => authority === from).length ?? 0),
      )
    }
    expect(sent.size).toBeGreaterThan(0)
  })

  test('tells what is proven to be nothing from what is not held', async () => {
    const { witness } = open('24628608')
    expect((await witness.code(WETH)).length).toBe(3_124)
    await expect(witness.storage(WETH, 0n)).rejects.toThrow(
      `the witness does not hold slot ${toPaddedHex(0n, 32)} of ${WETH}`,
    )
    await expect(witness.account(NOBODY)).rejects.toBeInstanceOf(UnknownStateError)
    await expect(witness.blockHash(1n)).rejects.toThrow('the witness does not hold block 1')
  })

  test('loses what stands behind a node that is taken away', async () => {
    const { file, witness } = open('24628608')
    expect((await witness.account(WETH)).nonce).toBe(1n)
    const root = openWitness({ ...file, nodes: file.nodes.slice(0, 1) })
    await expect(root.account(WETH)).rejects.toThrow(`account ${WETH}`)
  })

  test('is added to by name alone, and what it proves is never changed', async () => {
    const { witness } = open('24628608')
    const code = new Uint8Array([0xfe])
    const words = new Map([[NOBODY, new Map([[3n, 7n]])]])
    const added = supplement(witness, {
      codes: new Map([
        [NOBODY, code],
        [WETH, code],
      ]),
      words,
    })
    expect(await added.code(NOBODY)).toEqual(code)
    expect((await added.code(WETH)).length).toBe(3_124)
    expect(await added.storage(NOBODY, 3n)).toBe(7n)
    await expect(added.storage(NOBODY, 4n)).rejects.toBeInstanceOf(UnknownStateError)

    const noted: string[] = []
    const assumed = assumeUnwritten(
      added,
      (address, slot) => address === WETH && slot < 3n,
      (_, slot) => noted.push(`${slot}`),
    )
    expect(await assumed.storage(WETH, 1n)).toBe(0n)
    await expect(assumed.storage(WETH, 3n)).rejects.toBeInstanceOf(UnknownStateError)
    await expect(assumed.account('0x00000000000000000000000000000000a55a0002')).rejects.toBeInstanceOf(
      UnknownStateError,
    )
    expect(noted).toEqual(['1'])
  })
})
