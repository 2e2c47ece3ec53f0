import { expect, test } from 'vitest'
import { shareMemory } from './cache-shares.js'

test('caches together take a third of what the process is given, whatever that is', () => {
  for (const memoryMb of [128, 512, 4_096]) {
    const shares = Object.values(shareMemory(memoryMb))
    const part = shares.reduce((sum, bytes) => sum + bytes, 0) / (memoryMb * 1024 * 1024)
    expect(part).toBeGreaterThan(0.25)
    expect(part).toBeLessThan(0.34)
    expect(Math.min(...shares)).toBeGreaterThan(0)
  }
})
