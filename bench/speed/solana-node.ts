import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'

/** The node of the Solana benches, run by `solana-stage.ts` as a child process. */
const { url, chain, examples } = await startSolanaDevnet({ examples: [...RULES, ...HOOKS] })
process.send?.({ url, addresses: Object.fromEntries(examples.map(({ name, address }) => [name, address])) })
/** A node whose clock stands still is out of step after some minutes, and is asked no more. */
const CLOCK_MS = 1_000
setInterval(() => chain.setTime(BigInt(Math.floor(Date.now() / 1_000))), CLOCK_MS)
process.on('disconnect', () => process.exit(0))
