import { setPriority } from 'node:os'
import { ATTACKS, type AttackStage } from '../../test/neighbours/hostile-callers.js'

/** Attacks as its parent says, until it is killed. */
const LAST_IN_LINE = 19

setPriority(LAST_IN_LINE)
process.once('message', async ({ name, stage }: { name: string; stage: AttackStage }) => {
  const attack = ATTACKS.find((each) => each.name === name)
  if (attack === undefined) throw new RangeError(`no such attack: ${name}`)
  await attack.run(stage, new AbortController().signal)
})
