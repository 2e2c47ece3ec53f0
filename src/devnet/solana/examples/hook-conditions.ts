import { addressBytes } from '../../../solana/address.js'
import { packed } from '../../../solana/instruction.js'
import { MEMO_PROGRAM } from '../../../solana/programs.js'
import type { SolanaChain } from '../cluster.js'
import { type addressFor, hookEntry, placeData } from '../scene.js'
import type { SolanaExample } from '../solana-example.js'
import { FREE, hooked, vaultOf } from './transfer-hooks.js'

const HOUR = 3_600n
const DAY = 86_400n
const word = (value: bigint) => packed([64, value])

/** A hook that begins to refuse, by a word that stands in an account that its code cannot write. */
function bomb(
  name: string,
  summary: string,
  {
    behaviour = 'time-bomb',
    at,
    isHarmless = false,
  }: { behaviour?: string; at(chain: SolanaChain): bigint; isHarmless?: boolean },
): SolanaExample {
  return hooked({
    name,
    summary,
    behaviour,
    entries: (chain, hook) => [hookEntry.literal(placeData(chain, name, hook, word(at(chain))))],
    expect: isHarmless
      ? {
          trustStatus: 'Low Risk',
          windows: FREE,
          isTimeHoneypot: false,
          findings: ['hook'],
          absent: ['time-delayed'],
        }
      : {
          trustStatus: 'Critical Risk',
          windows: FREE,
          isHoneypot: false,
          isTimeHoneypot: true,
          findings: ['time-delayed'],
        },
  })
}

const counting =
  (name: string) =>
  (chain: SolanaChain, hook: ReturnType<typeof addressFor>, placed: Parameters<typeof vaultOf>[0]) => [
    vaultOf(placed),
    hookEntry.literal(placeData(chain, name, hook, new Uint8Array(32)), true),
  ]

const calm = {
  trustStatus: 'Low Risk',
  windows: FREE,
  findings: ['hook'],
  absent: ['steerable-hook', 'unexplained-hook'],
} as const

/**
 * Hooks that let the trades of the three windows pass: what they decide by shows only in their
 * programs. Each has a twin that looks at the same and refuses nothing.
 */
export const CONDITIONS: readonly SolanaExample[] = [
  bomb('hook with a bomb between the windows', 'For six hours from the thirtieth on, the hook refuses.', {
    behaviour: 'time-window',
    at: (chain) => chain.clock.unixTime + 30n * HOUR,
  }),
  bomb('hook with a bomb by slots', 'In 200 hours the hook begins to refuse, by the slot.', {
    behaviour: 'slot-bomb',
    at: (chain) => chain.clock.slot + (200n * HOUR * 5n) / 2n,
  }),
  bomb('hook with a bomb after day 7', 'In thirty days the hook begins to refuse.', {
    at: (chain) => chain.clock.unixTime + 30n * DAY,
  }),
  bomb('hook with a bomb of years', 'In four years the hook begins to refuse.', {
    at: (chain) => chain.clock.unixTime + 4n * 365n * DAY,
  }),
  bomb('hook with a bomb by epochs', 'In twenty epochs the hook begins to refuse.', {
    behaviour: 'epoch-bomb',
    at: (chain) => chain.clock.epoch + 20n,
  }),
  bomb('hook with a lock that is over', 'The hook refused until an hour ago.', {
    behaviour: 'time-lock',
    at: (chain) => chain.clock.unixTime - HOUR,
    isHarmless: true,
  }),
  hooked({
    name: 'hook that lets sell once',
    summary: 'The first sale goes through, and none after it.',
    behaviour: 'sell-once',
    entries: counting('sell once'),
    expect: { trustStatus: 'Critical Risk', findings: ['next-sale-fails'] },
  }),
  hooked({
    name: 'hook that lets sell five times',
    summary: 'The sixth sale of all is refused.',
    behaviour: 'sell-five-times',
    entries: counting('sell five times'),
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['steerable-hook'] },
  }),
  hooked({
    name: 'hook that counts sales',
    summary: 'Sales are counted, and none is refused.',
    behaviour: 'count-sales',
    entries: counting('count sales'),
    expect: calm,
  }),
  hooked({
    name: 'hook that bars one in eight',
    summary: 'Wallets with certain addresses cannot sell.',
    behaviour: 'some-sellers',
    entries: (_chain, _hook, placed) => [vaultOf(placed)],
    expect: { trustStatus: 'Critical Risk', findings: ['some-cannot-sell'] },
  }),
  hooked({
    name: 'hook that looks at sellers',
    summary: 'It says when wallets with certain addresses send, and refuses none.',
    behaviour: 'look-at-seller',
    expect: calm,
  }),
  hooked({
    name: 'hook that decides by a hash',
    summary: 'A hash of the day decides, which cannot be computed backwards.',
    behaviour: 'hashed-day',
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['unexplained-hook'] },
  }),
  hooked({
    name: 'hook with a switch',
    summary: 'Nothing can replace the hook, but an instruction of its own stops all sales.',
    behaviour: 'switch',
    entries: (chain, hook) => [hookEntry.literal(placeData(chain, 'switch', hook, Uint8Array.of(0)))],
    expect: { trustStatus: 'High Risk', windows: FREE, findings: ['steerable-hook'], absent: ['replaceable-hook'] },
  }),
  hooked({
    name: 'hook with a switch that is stuck',
    summary: 'Data decides that no code can write.',
    behaviour: 'blacklist',
    entries: (chain, hook) => [hookEntry.literal(placeData(chain, 'stuck switch', hook, Uint8Array.of(0)))],
    expect: calm,
  }),
  hooked({
    name: 'hook that refuses late and large sales',
    summary: 'In forty days, sales above a fiftieth of the pool are refused.',
    behaviour: 'late-and-large',
    entries: (chain, hook, placed) => [
      vaultOf(placed),
      hookEntry.literal(
        placeData(
          chain,
          'late and large',
          hook,
          packed([64, chain.clock.unixTime + 40n * DAY], [64, 12_000_000_000_000n]),
        ),
      ),
    ],
    expect: { trustStatus: 'Medium Risk', windows: FREE, findings: ['large-sale-limit', 'hook'] },
  }),
  hooked({
    name: 'hook that asks another program',
    summary: 'It leaves a memo: the program that it asks is read as well.',
    behaviour: 'ask-another',
    entries: () => [packed([8, 0], addressBytes(MEMO_PROGRAM), [16, 0])],
    expect: calm,
  }),
]
