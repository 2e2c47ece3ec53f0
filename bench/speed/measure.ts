/** Milliseconds of each of `rounds` runs, after some that do not count. */
export async function measure(rounds: number, warmUp: number, work: () => unknown): Promise<number[]> {
  for (let round = 0; round < warmUp; round += 1) await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function best(values: readonly number[]): number {
  return Math.min(...values)
}

/** Writes one line of a result table. */
export function report(name: string, value: number, unit: string, note = ''): void {
  process.stdout.write(`${name.padEnd(46)} ${value.toFixed(2).padStart(10)} ${unit.padEnd(8)} ${note}\n`)
}
