import { createHash } from 'node:crypto'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, readProgram } from '../../src/devnet/solana/scene.js'
import { mintAccount, text, tokenAccount } from '../../src/devnet/solana/token-data.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import {
  GOVERNANCE_PROGRAM,
  realmConfigAddress,
  treasuryAddress,
  votesAddress,
} from '../../src/solana/groups/governance.js'
import { SQUADS_V3, SQUADS_V4 } from '../../src/solana/groups/squads.js'
import { STAKE_POOL_PROGRAMS } from '../../src/solana/groups/stake-pool.js'
import { packed } from '../../src/solana/instruction.js'
import { findProgramAddress, isOnCurve } from '../../src/solana/pda.js'

const words = (each: string) => new TextEncoder().encode(each)
const head = (name: string) => new Uint8Array(createHash('sha256').update(`account:${name}`).digest().subarray(0, 8))
const NO_KEY = new Uint8Array(32)
export const ALL = 7
export const NO_VOTE = 5

export interface SquadOrder {
  version: 3 | 4
  threshold: number
  members: readonly (readonly [key: SolanaAddress, permissions: number])[]
  timeLock?: number
  manager?: SolanaAddress
  /** A vault's number. */
  vault?: number
  /** Where the account lies, instead of with Squads. */
  program?: SolanaAddress
  upgradeAuthority?: SolanaAddress
  /** Whether a transaction named both. */
  isUsed?: boolean
}

/** A multisig, byte by byte; gives its vault. */
export function placeSquad(chain: SolanaChain, name: string, order: SquadOrder): SolanaAddress {
  const { version, threshold, members, timeLock = 0, manager, vault = 0, isUsed = true } = order
  const { program = version === 4 ? SQUADS_V4 : SQUADS_V3 } = order
  chain.deploy(program, readProgram('hook-allow'), order.upgradeAuthority)
  const squad = addressFor(`squad ${name}`, 'program')
  const createKey = addressBytes(addressFor(`create key of ${name}`))
  for (const each of [...members.map(([key]) => key), ...(manager ? [manager] : [])]) showBesideProgram(chain, each)
  const data =
    version === 4
      ? packed(
          ...[head('Multisig'), createKey, manager ? addressBytes(manager) : NO_KEY],
          ...([
            [16, threshold],
            [32, timeLock],
            [64, 3],
            [64, 0],
            [8, 0],
            [8, 254],
            [32, members.length],
          ] as const),
          ...members.flatMap(([key, permissions]) => [addressBytes(key), [8, permissions] as const]),
          new Uint8Array(40),
        )
      : packed(
          head('Ms'),
          ...([
            [16, threshold],
            [16, 1],
            [32, 3],
            [32, 0],
            [8, 254],
          ] as const),
          ...[createKey, [8, 0] as const, [32, members.length] as const],
          ...members.map(([key]) => addressBytes(key)),
          new Uint8Array(64),
        )
  chain.set(squad, { lamports: RENT, owner: program, executable: false, data })
  const seeds =
    version === 4
      ? [words('multisig'), addressBytes(squad), words('vault'), Uint8Array.of(vault)]
      : [words('squad'), addressBytes(squad), Uint8Array.of(vault, 0, 0, 0), words('authority')]
  const holder = findProgramAddress(program, seeds)
  if (holder === undefined) throw new RangeError('no vault')
  const payer = addressFor(`payer of ${name}`)
  if (isUsed) chain.record([payer, addressFor(`another account of ${name}`), squad, holder, program], false)
  chain.record([payer, holder], false)
  return holder
}

/** A stake pool, as far as it is read; gives the address that makes its tokens. */
export function placeStakePool(
  chain: SolanaChain,
  name: string,
  { program = STAKE_POOL, upgradeAuthority }: { program?: SolanaAddress; upgradeAuthority?: SolanaAddress } = {},
): SolanaAddress {
  chain.deploy(program, readProgram('hook-allow'), upgradeAuthority)
  const pool = addressFor(`stake pool ${name}`)
  const data = new Uint8Array(611)
  data[0] = 1
  chain.set(pool, { lamports: RENT, owner: program, executable: false, data })
  const holder = findProgramAddress(program, [addressBytes(pool), words('withdraw')])
  if (holder === undefined) throw new RangeError('no address')
  chain.record([addressFor(`payer of ${name}`), pool, holder, program], false)
  return holder
}

const [STAKE_POOL = GOVERNANCE_PROGRAM] = STAKE_POOL_PROGRAMS

/** An address of a program acts through it, in transactions that name both. */
export function showBesideProgram(chain: SolanaChain, address: SolanaAddress): void {
  if (isOnCurve(address) || chain.get(address) !== undefined || chain.history(address).length > 0) return
  const program = addressFor('a program of its own', 'program')
  if (chain.get(program) === undefined) chain.deploy(program, readProgram('hook-allow'))
  chain.record([addressFor('some payer'), address, program], false)
}

export interface VotesOrder {
  /** What each has put in for voting. */
  records?: readonly bigint[]
  /** What each has in a wallet. */
  wallets?: readonly bigint[]
  supply: bigint
  /** Percent; none: they do not vote. */
  threshold?: number
  mintAuthority?: SolanaAddress
}

export interface GovernanceOrder {
  community: VotesOrder
  council?: VotesOrder
  holdUp?: number
  authority?: SolanaAddress
  addin?: SolanaAddress
  /** The power is with the treasury, which a transaction names together with the governance. */
  isTreasury?: boolean
  program?: SolanaAddress
}

/** A realm with its voters; gives the address that acts for it. */
export function placeGovernance(chain: SolanaChain, name: string, order: GovernanceOrder): SolanaAddress {
  const { community, council, holdUp = 0, authority, addin, isTreasury, program = GOVERNANCE_PROGRAM } = order
  chain.deploy(program, readProgram('hook-allow'))
  const put = (words_: string, data: Uint8Array, at = addressFor(`${words_} of ${name}`, 'program')) => {
    chain.set(at, { lamports: RENT, owner: program, executable: false, data })
    return at
  }
  const realm = addressFor(`realm of ${name}`, 'program')
  const mints = [placeVotes(chain, `community of ${name}`, realm, community, put)]
  if (council) mints.push(placeVotes(chain, `council of ${name}`, realm, council, put))
  const [communityMint = NO_KEY, councilMint] = mints.map(addressBytes)
  const option = (key: Uint8Array | undefined) => (key ? packed([8, 1], key) : Uint8Array.of(0))
  put(
    'realm',
    packed(
      ...[[8, 16] as const, communityMint, new Uint8Array(8), [64, 1] as const, [8, 0] as const],
      ...[[64, 10_000_000_000n] as const, option(councilMint), new Uint8Array(8)],
      ...[option(authority && addressBytes(authority)), text('a realm'), new Uint8Array(128)],
    ),
    realm,
  )
  const config = realmConfigAddress(realm)
  if (addin && config) {
    const plain = packed([8, 0], [8, 0], [8, 0], new Uint8Array(8))
    const voters = packed(option(addressBytes(addin)), [8, 0], [8, 0], new Uint8Array(8))
    put('config', packed([8, 11], addressBytes(realm), voters, plain, new Uint8Array(110)), config)
  }
  const threshold = (votes: VotesOrder | undefined) =>
    votes?.threshold === undefined ? Uint8Array.of(2) : Uint8Array.of(0, votes.threshold)
  const governed = addressBytes(addressFor(`governed by ${name}`))
  const governance = put(
    'governance',
    packed(
      ...[[8, 18] as const, addressBytes(realm), governed, [32, 0] as const, threshold(community), [64, 1] as const],
      ...[[32, holdUp] as const, [32, 259_200] as const, [8, 0] as const, threshold(council), Uint8Array.of(2)],
      ...[[64, 1] as const, [8, 0] as const, new Uint8Array(140)],
    ),
  )
  const treasury = isTreasury ? treasuryAddress(governance) : undefined
  if (treasury) chain.record([addressFor(`payer of ${name}`), governance, treasury, program], false)
  return treasury ?? governance
}

function placeVotes(
  chain: SolanaChain,
  name: string,
  realm: SolanaAddress,
  { records = [], wallets = [], supply, mintAuthority }: VotesOrder,
  put: (words_: string, data: Uint8Array) => SolanaAddress,
): SolanaAddress {
  const mint = addressFor(`votes of ${name}`, 'program')
  const account = mintAccount({ supply, decimals: 0, mintAuthority })
  chain.set(mint, account)
  for (const [i, votes] of records.entries()) {
    const owner = addressBytes(addressFor(`voter ${i} of ${name}`))
    put(`record ${i} of ${name}`, packed([8, 17], addressBytes(realm), addressBytes(mint), owner, [64, votes], NO_KEY))
  }
  // What was put in lies in one account.
  const pot = votesAddress(realm, mint)
  const putIn = records.reduce((sum, votes) => sum + votes, 0n)
  if (pot) chain.set(pot, tokenAccount({ mint, mintAccount: account, owner: realm, amount: putIn }))
  for (const [i, amount] of wallets.entries()) {
    const owner = addressFor(`wallet ${i} of ${name}`)
    const holding = tokenAccount({ mint, mintAccount: account, owner, amount })
    chain.set(addressFor(`holding ${i} of ${name}`, 'program'), holding)
  }
  return mint
}
