import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'

/** The node of the Solana benches, run by `solana-stage.ts` as a child process. */
const { url, examples } = await startSolanaDevnet({ examples: [...RULES, ...HOOKS] })
process.send?.({ url, addresses: Object.fromEntries(examples.map(({ name, address }) => [name, address])) })
process.on('disconnect', () => process.exit(0))
