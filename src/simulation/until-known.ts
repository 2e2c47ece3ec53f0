/** What a run says: what it found, or that it met what is not known yet, and is void. */
type Done<Output> = { kind: 'done'; output: Output }
type Void = { kind: 'missing' }

export interface UntilKnownOptions<Output, Missing extends Void> {
  /** Each costs a request to a node. */
  rounds: number
  /** Plays on what is known by now. Must be deterministic. */
  run(): Promise<Done<Output> | Missing>
  /** Makes known what a run lacked. */
  load(missing: Missing): Promise<void>
  /** What it means that each round asked for something new. */
  unsettled(): Error
}

/** Repeats a run until it goes through on what is known, and fetches in between what it lacked. */
export async function untilKnown<Output, Missing extends Void>({
  rounds,
  run,
  load,
  unsettled,
}: UntilKnownOptions<Output, Missing>): Promise<Output> {
  for (let round = 0; round < rounds; round += 1) {
    const answer = await run()
    if (answer.kind === 'done') return answer.output
    await load(answer)
  }
  throw unsettled()
}
