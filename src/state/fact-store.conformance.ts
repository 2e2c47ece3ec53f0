import { describe, expect, test } from 'vitest'
import type { FactStore } from './fact-store.js'

/** What every {@link FactStore} promises. */
export function factStoreConformance(name: string, create: () => FactStore | Promise<FactStore>): void {
  describe(`${name}: fact store`, () => {
    test('gives back what was set, byte for byte', async () => {
      const store = await create()
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
      await store.set('bytes', bytes)
      await store.set('empty', new Uint8Array(0))
      const [first, second] = await store.get(['bytes', 'empty'])
      expect(Buffer.from(first ?? [])).toEqual(Buffer.from(bytes))
      expect(second?.length).toBe(0)
    })

    test('answers in the order of the keys, undefined for what it does not have', async () => {
      const store = await create()
      await store.set('a', Buffer.from('1'))
      const found = await store.get(['nothing', 'a', 'nothing'])
      expect(found.map((value) => value && Buffer.from(value).toString())).toEqual([undefined, '1', undefined])
    })

    test('keeps the newer of two values', async () => {
      const store = await create()
      await store.set('a', Buffer.from('1'))
      await store.set('a', Buffer.from('2'))
      const [value] = await store.get(['a'])
      expect(Buffer.from(value ?? []).toString()).toBe('2')
    })

    test('never rejects for a value that is too large', async () => {
      const store = await create()
      await store.set('large', new Uint8Array(40 * 1024 * 1024))
      expect(await store.get(['large'])).toEqual([undefined])
    })
  })
}
