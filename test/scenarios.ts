import { type Address, toPaddedHex } from '../src/hex.js'
import { defineScenario } from '../src/simulation/scenario.js'

const module = import.meta.url
const TOKEN: Address = '0x00000000000000000000000000000000000a11ce'

/**
 * Follows a chain of storage slots, each of which holds the number of the next, and throws where it
 * ends.
 */
export const followSlots = defineScenario({
  module,
  name: 'followSlots',
  run({ evm }, steps: number): bigint {
    let slot = 1n
    for (let i = 0; i < steps; i += 1) {
      slot = evm.storage(TOKEN, slot)
      if (slot === 0n) throw new RangeError('the chain of slots ended')
    }
    return slot
  },
})

/** Needs an account that it has not needed before in every run. */
export const neverSettles = defineScenario({
  module,
  name: 'neverSettles',
  run({ evm }): bigint {
    return evm.account(toPaddedHex(BigInt(Math.floor(Math.random() * 2 ** 50)), 20)).balance
  },
})

/** Runs the token's code, which may have no end. */
export const callToken = defineScenario({
  module,
  name: 'callToken',
  run: ({ evm }): string => evm.read({ to: TOKEN, data: '0x' }).status,
})

/** Host code that no bound of the engine can stop. */
export const neverEnds = defineScenario({
  module,
  name: 'neverEnds',
  run(): never {
    for (;;);
  },
})

export const failsInside = defineScenario({
  module,
  name: 'failsInside',
  run(): never {
    throw new TypeError('a fault of our own')
  },
})

/** Asks a precompile that only ArbOS has. */
export const callArbOs = defineScenario({
  module,
  name: 'callArbOs',
  run: ({ evm }): string => evm.read({ to: '0x000000000000000000000000000000000000006c', data: '0x612af178' }).status,
})

/** Through which calls of this thread it was reached. */
export const tellStack = defineScenario({
  module,
  name: 'tellStack',
  run(): string {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 100
    const { stack = '' } = new Error()
    Error.stackTraceLimit = stackTraceLimit
    return stack
  },
})
