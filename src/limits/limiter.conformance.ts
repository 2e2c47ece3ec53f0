import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Limiter, LimitRequest } from './limiter.js'

export interface LimiterUnderTest {
  limiter: Limiter
  /** Makes what was counted so far this much older. */
  passTime(ms: number): Promise<void>
}

const request = (overrides: Partial<LimitRequest> = {}): LimitRequest => ({
  caller: { kind: 'key', id: 'key_a' },
  limitClass: 'analysis',
  limit: 10,
  ...overrides,
})

/** What every limiter promises, wherever it counts. */
export function limiterConformance(name: string, create: () => Promise<LimiterUnderTest>) {
  describe(`${name}: limiter`, () => {
    let limiter: Limiter
    let passTime: LimiterUnderTest['passTime']
    beforeEach(async () => {
      const created = await create()
      limiter = created.limiter
      passTime = created.passTime
    })
    afterEach(() => limiter.close())

    const takeMany = async (count: number, overrides: Partial<LimitRequest> = {}) => {
      const decisions = await Promise.all(Array.from({ length: count }, () => limiter.take(request(overrides))))
      return decisions.filter(({ allowed }) => allowed).length
    }

    test('a guest is counted by the hour, and apart from everything else', async () => {
      const guest = { caller: { kind: 'guest', id: '192.0.2.1' }, limitClass: 'guest', limit: 2 } as const
      expect(await takeMany(3, guest)).toBe(2)
      await passTime(60_000)
      expect(await limiter.take(request(guest))).toMatchObject({ allowed: false })
      expect(await takeMany(1, { caller: { kind: 'address', id: '192.0.2.1' } })).toBe(1)
      await passTime(3_540_000)
      expect(await takeMany(1, guest)).toBe(1)
    })

    test('36: allows as many as the limit says and refuses the next', async () => {
      const remaining: number[] = []
      for (let i = 0; i < 10; i += 1) remaining.push((await limiter.take(request())).remaining)
      expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      expect(await limiter.take(request())).toMatchObject({ allowed: false, remaining: 0 })
    })

    test('37: lets no more than the limit through when fifty come at the same time', async () => {
      expect(await takeMany(50)).toBe(10)
    })

    test('37: has no edge at which two windows meet', async () => {
      await takeMany(5)
      await passTime(59_000)
      expect(await takeMany(50)).toBe(5)
      await passTime(2_000)
      expect(await takeMany(50)).toBe(5)
      await passTime(57_000)
      expect(await takeMany(50)).toBe(0)
    })

    test('does not count what it refuses', async () => {
      await takeMany(50)
      await passTime(60_000)
      expect(await takeMany(50)).toBe(10)
    })

    test('says how long to wait until there is room', async () => {
      await takeMany(1)
      await passTime(20_000)
      await takeMany(9)
      const { resetMs } = await limiter.take(request())
      expect(resetMs).toBeGreaterThan(38_000)
      expect(resetMs).toBeLessThanOrEqual(40_000)
      await passTime(resetMs)
      expect(await takeMany(50)).toBe(1)
    })

    test('39: counts the two classes apart', async () => {
      expect(await takeMany(50)).toBe(10)
      expect(await takeMany(50, { limitClass: 'general', limit: 30 })).toBe(30)
    })

    test('36: counts each caller alone, and a key apart from an address of the same name', async () => {
      expect(await takeMany(50)).toBe(10)
      expect(await takeMany(50, { caller: { kind: 'key', id: 'key_b' } })).toBe(10)
      expect(await takeMany(50, { caller: { kind: 'address', id: 'key_a' } })).toBe(10)
    })

    test('counts the four kinds of callers apart, whatever their names', async () => {
      for (const kind of ['key', 'session', 'address', 'network'] as const)
        expect(await takeMany(50, { caller: { kind, id: 'same' } })).toBe(10)
    })

    test('counts a request in all of its shares or in none', async () => {
      const network = { caller: { kind: 'network', id: '2001:db8:1::/48' }, limit: 15 } as const
      const of = (id: string) => ({ caller: { kind: 'address', id }, within: [network] }) as const
      expect(await takeMany(50, of('a'))).toBe(10)
      expect(await takeMany(50, of('b'))).toBe(5)
      expect(await limiter.take(request(of('c')))).toMatchObject({ allowed: false, remaining: 0 })
      // What the network refused was not counted for the address.
      expect(await takeMany(50, { caller: { kind: 'address', id: 'b' } })).toBe(5)
      expect(await takeMany(50, { caller: { kind: 'address', id: 'c' } })).toBe(10)
      await passTime(60_000)
      expect(await takeMany(50, of('b'))).toBe(10)
    })

    test('follows a limit that changes', async () => {
      expect(await takeMany(5)).toBe(5)
      expect(await takeMany(50, { limit: 20 })).toBe(15)
      expect(await limiter.take(request({ limit: 3 }))).toMatchObject({ allowed: false, remaining: 0 })
      await passTime(60_000)
      expect(await takeMany(50, { limit: 3 })).toBe(3)
    })
  })
}
