import type { DevnetTraits } from '../chains/chain.js'
import { chains } from '../chains/index.js'

/** What blocks look like on the devnet, by the chain's id; only chains that have a devnet. */
export const blockTraits: Readonly<Record<number, DevnetTraits | undefined>> = Object.fromEntries(
  chains.flatMap(({ id, devnet }) => (devnet ? [[id, devnet]] : [])),
)
