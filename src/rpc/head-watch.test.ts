import { describe, expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import type { BlockHeader } from './block-header.js'
import { createHeadWatch, RpcStaleHeadError } from './head-watch.js'

function watch(maxAgeMs = 300_000) {
  const clock = createManualClock()
  const heads = createHeadWatch({ clock, maxAgeMs })
  const seconds = () => Math.floor(clock.now() / 1_000)
  return { clock, accept: (age: number) => heads.accept({ timestamp: BigInt(seconds() - age) } as BlockHeader) }
}

describe('a head', () => {
  test('of now is accepted', () => expect(() => watch().accept(0)).not.toThrow())
  test('of an hour ago is not', () => expect(() => watch().accept(3_600)).toThrow(RpcStaleHeadError))
  test('of the next minute but one is not', () => expect(() => watch().accept(-120)).toThrow(RpcStaleHeadError))
  test('of any time is, where blocks have no time', () => {
    const { accept } = watch(Number.POSITIVE_INFINITY)
    for (const age of [0, 1e9, -1e9]) expect(() => accept(age)).not.toThrow()
  })
})

describe('two nodes', () => {
  test('may differ by some blocks', () => {
    const { accept } = watch()
    accept(0)
    expect(() => accept(36)).not.toThrow()
  })

  test('may not differ by a minute', () => {
    const { accept } = watch()
    accept(0)
    expect(() => accept(60)).toThrow(RpcStaleHeadError)
  })

  test('are not compared with what was seen long ago', () => {
    const { clock, accept } = watch()
    accept(0)
    clock.advance(61_000)
    expect(() => accept(120)).not.toThrow()
  })
})
