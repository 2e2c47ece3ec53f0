import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Address, bytesToHex, hexToBytes, toPaddedHex, WORD_MASK } from '../hex.js'
import { RpcAbilityError } from '../rpc/capabilities.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import { type AccountPrefetch, readPrefetch } from './prefetch-accounts.js'

const TOKEN: Address = '0x000000000000000000000000000000000001ed9e'
const prefetch: AccountPrefetch = {
  contract: TOKEN,
  slots: [0n, 1n],
  holders: ['0x00000000000000000000000000000000000a11ce'],
  mappings: [2n],
  entrySlot: (mapping, account) => (mapping << 200n) + BigInt(account),
}

/** The secret that the program in this request signs with: the last word that it puts at 0xa0. */
function secretOf(request: { params: readonly unknown[] }): string {
  const [call, , overrides] = request.params as [{ to: Address }, string, Record<Address, { code: string }>]
  const [, secret] = /7f([0-9a-f]{64})60a052/.exec(overrides[call.to]?.code ?? '') ?? []
  if (secret === undefined) throw new Error('the program signs with nothing')
  return secret
}

test('whatever follows a signed identity is read, or is an invalid answer, and comes to an end', () => {
  const word = fc.oneof(
    fc.bigInt({ min: 0n, max: WORD_MASK }),
    fc.integer({ min: 0, max: 200 }).map(BigInt),
    fc.constant(BigInt(TOKEN)),
  )
  const rest = fc.uint8Array({ maxLength: 70 })
  const shape = fc.record({ words: fc.array(word, { maxLength: 60 }), rest, signs: fc.array(fc.nat(60)) })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1 }), shape, (which, { words, rest: tail, signs }) => {
      const part = readPrefetch(prefetch, 'latest')[which]
      const [request] = part?.requests ?? []
      if (part === undefined || request === undefined) throw new Error('there are two parts')
      const secret = secretOf(request)
      const body = words.map((value, i) => (signs.includes(i) ? secret : toPaddedHex(value, 32).slice(2)))
      const identity = `${'00'.repeat(5 * 32)}${secret}`
      const value = bytesToHex(Buffer.concat([hexToBytes(`0x${identity}${body.join('')}`), tail]))
      try {
        const { values } = part.read([{ ok: true, value }])
        expect(values?.accounts.size ?? 0).toBeLessThanOrEqual(words.length)
      } catch (error) {
        expect(error).toBeInstanceOf(RpcInvalidAnswerError)
      }
    }),
  )
})

test('without the signature nothing of it counts', () => {
  for (const { read } of readPrefetch(prefetch, 'latest')) {
    expect(read([{ ok: true, value: `0x${'00'.repeat(2_000)}` }])).toEqual({})
    expect(read([{ ok: false, error: new RpcAbilityError('stateOverride', 'refused') }])).toEqual({})
    expect(() => read([{ ok: false, error: new Error('the node is gone') }])).toThrow('the node is gone')
  }
})
