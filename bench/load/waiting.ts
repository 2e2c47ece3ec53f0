export interface Work {
  /** Checks a second that come at random. */
  rate: number
  /** Seconds of a server that each takes. */
  seconds: number
  servers: number
  /** Standard deviation of that, in parts of the mean. */
  spread: number
}

/**
 * Seconds that work waits on average before a server has time for it (M/G/c): Erlang's C formula,
 * with the spread of the work as in the approximation of Allen and Cunneen. Infinite where more
 * comes than can be done.
 */
export function predictWait({ rate, seconds, servers, spread }: Work): number {
  const offered = rate * seconds
  if (offered >= servers) return Number.POSITIVE_INFINITY
  let [term, sum] = [1, 0]
  for (let busy = 0; busy < servers; busy += 1) {
    sum += term
    term *= offered / (busy + 1)
  }
  const full = term / (1 - offered / servers)
  const waits = full / (sum + full)
  return ((waits * seconds) / (servers - offered)) * ((1 + spread ** 2) / 2)
}
