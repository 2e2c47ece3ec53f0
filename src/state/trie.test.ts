import { createMPT } from '@ethereumjs/mpt'
import { MapDB } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from '../hex.js'
import { createTrie, EMPTY_TRIE_ROOT, MissingNodeError } from './trie.js'

/** Keys that share much, so that leaves are split and branches closed; none begins another. */
const key = fc.array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xff), { minLength: 3, maxLength: 3 })
const change = fc.record({ key, value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 40 })) })

async function library(changes: readonly { key: number[]; value: Uint8Array | null }[]) {
  const db = new MapDB<string, string>()
  const trie = await createMPT({ db })
  for (const { key, value } of changes)
    await (value ? trie.put(Uint8Array.from(key), value) : trie.del(Uint8Array.from(key)))
  return { root: bytesToHex(trie.root()), nodes: nodesOf(db) }
}

const nodesOf = (db: MapDB<string, string>) =>
  new Map([...db._database].map(([hash, node]): [Hex, Uint8Array] => [`0x${hash}`, hexToBytes(node)]))

describe('a trie', () => {
  test('has the root that another implementation comes to, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), fc.array(change, { maxLength: 10 }), async (some, more) => {
        const before = await library(some)
        const after = await library([...some, ...more])
        const trie = createTrie(before.nodes, before.root)
        for (const { key, value } of more)
          if (value) trie.put(Uint8Array.from(key), value)
          else trie.delete(Uint8Array.from(key))
        expect(trie.root()).toBe(after.root)
      }),
    )
  })

  test('gives back what was put, and nothing for what is proven to be absent', () => {
    const trie = createTrie()
    expect(trie.root()).toBe(EMPTY_TRIE_ROOT)
    trie.put(Uint8Array.of(1, 2), Uint8Array.of(9))
    trie.put(Uint8Array.of(1, 3), Uint8Array.of(8))
    expect(trie.get(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(9))
    expect(trie.get(Uint8Array.of(1, 4))).toBeUndefined()
    trie.delete(Uint8Array.of(1, 2))
    trie.delete(Uint8Array.of(1, 3))
    expect(trie.root()).toBe(EMPTY_TRIE_ROOT)
  })

  test('a key that another begins with stands in the branch itself', () => {
    const trie = createTrie()
    trie.put(Uint8Array.of(1), Uint8Array.of(7))
    trie.put(Uint8Array.of(1, 2), Uint8Array.of(8))
    expect([trie.get(Uint8Array.of(1)), trie.get(Uint8Array.of(1, 2))]).toEqual([Uint8Array.of(7), Uint8Array.of(8)])
    trie.delete(Uint8Array.of(1, 2))
    const alone = createTrie()
    alone.put(Uint8Array.of(1), Uint8Array.of(7))
    expect(trie.root()).toBe(alone.root())
  })

  test('says nothing about what lies behind a node that is not held', async () => {
    const { root, nodes } = await library([0x00, 0x10, 0x11].map((first) => ({ key: [first, 0, 0], value: LONG })))
    const trie = createTrie(new Map([[root, nodes.get(root) ?? expect.unreachable()]]), root)
    expect(() => trie.get(Uint8Array.of(0x11, 0, 0))).toThrow(MissingNodeError)
    expect(trie.get(Uint8Array.of(0x20, 0, 0))).toBeUndefined()
  })

  test('closes no gap with a neighbour that is not held', async () => {
    const { root, nodes } = await library([0x00, 0x11].map((first) => ({ key: [first, 0, 0], value: LONG })))
    const gone = (held: typeof nodes) => {
      const trie = createTrie(held, root)
      trie.delete(Uint8Array.of(0, 0, 0))
      return trie.root()
    }
    const neighbour = (await library([{ key: [0x11, 0, 0], value: LONG }])).root
    expect(gone(nodes)).toBe(neighbour)
    expect(() => gone(new Map([...nodes].filter(([hash]) => hash === root)))).toThrow(MissingNodeError)
  })
})

const LONG = new Uint8Array(40).fill(5)
