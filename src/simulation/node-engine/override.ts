import { type Address, toPaddedHex, toQuantity } from '../../hex.js'
import type { StateOverrides } from '../../rpc/methods.js'
import type { Override, Step } from './question.js'

/** All overrides of a history at once, as nodes take them. */
export function overridesOf(steps: readonly Step[]): StateOverrides {
  const all: StateOverrides = {}
  for (const step of steps) if (step.kind === 'override') addOverride(all, step.address, step.change)
  return all
}

/** Adds one override to what the account has already. */
export function addOverride(all: StateOverrides, address: Address, { balance, nonce, code, slot }: Override): void {
  const { stateDiff, ...known } = all[address] ?? {}
  const diff = { ...stateDiff, ...(slot && { [toPaddedHex(slot.key, 32)]: toPaddedHex(slot.value, 32) }) }
  all[address] = {
    ...known,
    ...(balance !== undefined && { balance: toQuantity(balance) }),
    ...(nonce !== undefined && { nonce: toQuantity(nonce) }),
    ...(code !== undefined && { code }),
    ...(Object.keys(diff).length > 0 && { stateDiff: diff }),
  }
}
