import type { SolanaAddress } from '../../../solana/address.js'
import { addressBytes } from '../../../solana/address.js'
import { packed } from '../../../solana/instruction.js'
import { findProgramAddress } from '../../../solana/pda.js'
import { ATA_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/programs.js'
import { RENT, type SolanaChain } from '../cluster.js'
import {
  addressFor,
  hookEntry,
  type PlacedToken,
  placeData,
  placeHook,
  placeHookList,
  placeToken,
  seed,
} from '../scene.js'
import type { SolanaExample, SolanaExpectation } from '../solana-example.js'
import { extension, mintAccount, tokenAccount } from '../token-data.js'

const owner = addressFor('owner')

interface HookedToken {
  name: string
  summary: string
  behaviour: string
  /** Who may put another program in the hook's place. */
  hookAuthority?: SolanaAddress
  /** Who may replace the hook's code. */
  upgradeAuthority?: SolanaAddress
  /** What the hook wants to see. */
  entries?(chain: SolanaChain, hook: SolanaAddress, placed: PlacedToken): Uint8Array[]
  expect: SolanaExpectation
}

/** A token with a hook of `contracts/solana/hook.c`. */
export function hooked({
  name,
  summary,
  behaviour,
  hookAuthority,
  upgradeAuthority,
  entries,
  expect,
}: HookedToken): SolanaExample {
  return {
    name,
    summary,
    expect,
    place(chain) {
      const hook = placeHook(chain, name, { behaviour, ...(upgradeAuthority && { upgradeAuthority }) })
      const placed = placeToken(chain, name, { extensions: [extension.transferHook(hookAuthority, hook)] })
      placeHookList(chain, hook, placed.mint, entries?.(chain, hook, placed) ?? [])
      return placed.mint
    },
  }
}

type Windows = NonNullable<SolanaExpectation['windows']>
export const FREE: Windows = [
  [0, 0],
  [0, 0],
  [0, 0],
]
const BLOCKED: Windows = [
  ['x', 'x'],
  ['x', 'x'],
  ['x', 'x'],
]
const NO_SALE: Windows = [
  [0, 'x'],
  [0, 'x'],
  [0, 'x'],
]
export const vaultOf = ({ vault }: PlacedToken) => hookEntry.literal(vault ?? owner)
const ownEntry: HookedToken['entries'] = (_chain, hook) => [hookEntry.literal(hook)]

/** Mints whose transfers are decided on by a program. */
export const HOOKS: readonly SolanaExample[] = [
  hooked({
    name: 'hook that allows all',
    summary: 'The hook refuses nothing, and can be replaced.',
    behaviour: 'allow',
    hookAuthority: owner,
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['replaceable-hook'], proven: ['replaceable-hook'] },
  }),
  hooked({
    name: 'immutable hook',
    summary: 'The hook refuses nothing, and no authority can change that.',
    behaviour: 'allow',
    expect: { trustStatus: 'Low Risk', windows: FREE, findings: ['hook'], absent: ['replaceable-hook'] },
  }),
  hooked({
    name: 'upgradeable hook',
    summary: 'The hook refuses nothing, and its code can be replaced.',
    behaviour: 'allow',
    upgradeAuthority: owner,
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['replaceable-hook'] },
  }),
  hooked({
    name: 'hook that denies all',
    summary: 'The hook refuses everything.',
    behaviour: 'deny',
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true, findings: ['sell-blocked'] },
  }),
  hooked({
    name: 'hook that denies sales',
    summary: 'The hook lets nothing into the pool.',
    behaviour: 'deny-sell',
    entries: (_chain, _hook, placed) => [vaultOf(placed)],
    expect: { trustStatus: 'Critical Risk', windows: NO_SALE, isHoneypot: true, isTimeHoneypot: false },
  }),
  hooked({
    name: 'hook with a time bomb',
    summary: 'In three days the hook begins to refuse.',
    behaviour: 'time-bomb',
    entries(chain, hook) {
      const time = packed([64, chain.clock.unixTime + 3n * 86_400n])
      return [hookEntry.literal(placeData(chain, 'time bomb', hook, time))]
    },
    expect: {
      trustStatus: 'Critical Risk',
      // The hook does not tell a purchase from a sale.
      windows: [
        [0, 0],
        [0, 0],
        ['x', 'x'],
      ],
      isHoneypot: false,
      isTimeHoneypot: true,
    },
  }),
  {
    name: 'missing hook',
    summary: "There is no program at the hook's address.",
    place: (chain) => {
      const hook = addressFor('hook that does not exist', 'program')
      return placeToken(chain, 'missing hook', { extensions: [extension.transferHook(undefined, hook)] }).mint
    },
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true, findings: ['sell-blocked'] },
  },
  hooked({
    name: 'hook with a limit on sales',
    summary: 'Sales of more than a five-hundredth of the pool are refused.',
    behaviour: 'sell-limit',
    entries: (chain, hook, placed) => [
      vaultOf(placed),
      hookEntry.literal(placeData(chain, 'sell limit', hook, packed([64, 1_200_000_000_000n]))),
    ],
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['sell-limit'], isHoneypot: false },
  }),
  hooked({
    name: 'hook with a minimum for sales',
    summary: 'The smallest sales are refused.',
    behaviour: 'sell-minimum',
    entries: (chain, hook, placed) => [
      vaultOf(placed),
      hookEntry.literal(placeData(chain, 'sell minimum', hook, packed([64, 1_000_000n]))),
    ],
    expect: { trustStatus: 'Medium Risk', windows: FREE, findings: ['minimum-sale', 'hook'] },
  }),
  hooked({
    name: 'hook with a blacklist',
    summary: 'An account for each holder, derived from the sender, says who may not send.',
    behaviour: 'blacklist',
    entries: () => [hookEntry.ownPda(packed(seed.literal('barred'), seed.key(3)))],
    upgradeAuthority: owner,
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['replaceable-hook'] },
  }),
  hooked({
    name: 'hook with a whitelist',
    summary: 'Only holders with an account of their own may send; the pool has one.',
    behaviour: 'whitelist',
    entries(chain, hook, { pool }) {
      const entry = findProgramAddress(hook, [new TextEncoder().encode('listed'), addressBytes(pool ?? owner)])
      if (entry) chain.set(entry, { lamports: RENT, owner: hook, executable: false, data: Uint8Array.of(1) })
      return [hookEntry.ownPda(packed(seed.literal('listed'), seed.key(3)))]
    },
    expect: { trustStatus: 'Critical Risk', windows: NO_SALE, isHoneypot: true },
  }),
  hooked({
    name: 'hook whose list stands in data',
    summary: 'The account that says who may send is named by the data of another.',
    behaviour: 'blacklist',
    entries(chain, hook) {
      const list = placeData(chain, 'list in data', hook, Uint8Array.of(0))
      const holder = placeData(chain, 'holder of the list', hook, packed([64, 7], addressBytes(list)))
      return [
        hookEntry.literal(holder),
        // A program derived address of another program: the sender's own account for the token.
        hookEntry.literal(ATA_PROGRAM),
        hookEntry.literal(TOKEN_2022_PROGRAM),
        hookEntry.foreignPda(6, packed(seed.key(3), seed.key(7), seed.key(1))),
        hookEntry.ownPda(packed(seed.data(5, 0, 8), seed.instruction(0, 8))),
        hookEntry.keyInData(5, 8),
      ]
    },
    expect: { trustStatus: 'Low Risk', windows: FREE, findings: ['hook'] },
  }),
  hooked({
    name: 'hook whose list in data bars all',
    summary: 'As the last, and the account that is named says that no account may send.',
    behaviour: 'blacklist',
    entries(chain, hook) {
      const list = placeData(chain, 'barring list in data', hook, Uint8Array.of(1))
      const holder = placeData(chain, 'holder of the barring list', hook, packed([64, 7], addressBytes(list)))
      return [hookEntry.literal(holder), hookEntry.keyInData(5, 8)]
    },
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true },
  }),
  hooked({
    name: 'hook that remembers buyers',
    summary: 'A buyer cannot send.',
    behaviour: 'remember-buyer',
    entries: (chain, hook, placed) => [
      vaultOf(placed),
      hookEntry.literal(placeData(chain, 'memory', hook, new Uint8Array(32)), true),
    ],
    expect: { trustStatus: 'Critical Risk', windows: NO_SALE, isHoneypot: true },
  }),
  {
    name: 'hook that remembers buyers of an unknown exchange',
    summary: 'A buyer cannot send, on an exchange that is not known: only the sale of what was bought shows it.',
    place(chain) {
      const name = 'remember elsewhere'
      const hook = placeHook(chain, name, { behaviour: 'remember-buyer' })
      const extensions = [extension.transferHook(undefined, hook)]
      const { mint } = placeToken(chain, name, { extensions, distribution: { pool: 0 } })
      const vault = addressFor('vault of an unknown exchange', 'program')
      const market = addressFor('an unknown exchange', 'program')
      const account = chain.get(mint) ?? mintAccount({ supply: 0n })
      chain.set(vault, tokenAccount({ mint, mintAccount: account, owner: market, amount: 600_000_000_000_000n }))
      const memory = placeData(chain, 'memory elsewhere', hook, new Uint8Array(32))
      placeHookList(chain, hook, mint, [hookEntry.literal(vault), hookEntry.literal(memory, true)])
      return mint
    },
    expect: { trustStatus: 'Critical Risk', windows: NO_SALE, isHoneypot: true, findings: ['no-pool'] },
  },
  hooked({
    name: 'hook that never ends',
    summary: 'The hook uses up what a transaction may compute.',
    behaviour: 'endless',
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true },
  }),
  hooked({
    name: 'hook that floods the log',
    summary: 'The hook writes until it is stopped.',
    behaviour: 'log-flood',
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true },
  }),
  hooked({
    name: 'hook with a wild pointer',
    summary: 'The hook writes where there is no memory.',
    behaviour: 'wild-pointer',
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true },
  }),
  hooked({
    name: 'hook that calls itself without end',
    summary: 'The hook calls itself until the chain takes no deeper call.',
    behaviour: 'calls-itself',
    entries: ownEntry,
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true },
  }),
  hooked({
    name: 'hook that calls itself again and again',
    summary: 'The hook calls itself until a transaction may compute no more.',
    behaviour: 'calls-itself-often',
    entries: ownEntry,
    expect: { trustStatus: 'Critical Risk', windows: BLOCKED, isHoneypot: true },
  }),
  hooked({
    name: 'hook that calls itself once',
    summary: 'The hook calls itself, and refuses nothing.',
    behaviour: 'calls-itself-once',
    entries: ownEntry,
    // As programs do to tell themselves of an event.
    expect: { trustStatus: 'Low Risk', windows: FREE, isHoneypot: false, absent: ['unexplained-hook'] },
  }),
]
