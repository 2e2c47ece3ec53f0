import { toQuantity } from '../../../hex.js'
import type { VerdictDependencies } from '../../../reports/dependencies.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import { showAddress } from '../../../solana/token-address.js'

/** What a verdict stands on, as clients read it. */
export const toDependenciesBody = (dependencies: VerdictDependencies | undefined) => ({
  words: (dependencies?.words ?? []).map(({ address, slot, value, role }) => ({
    ...{ address: showAddress(address), slot: toQuantity(slot), value: toQuantity(value), role },
  })),
  codes: (dependencies?.codes ?? []).map(({ address, hash }) => ({ address: showAddress(address), hash })),
  isComplete: dependencies !== undefined && !dependencies.isTruncated,
  dates: { change: toTime(dependencies?.nextChange), unlock: toTime(dependencies?.nextUnlock) },
})

const toTime = (seconds: number | undefined) => (seconds === undefined ? null : toIsoTime(seconds * 1_000))
