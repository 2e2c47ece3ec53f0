import type { AbiParameter } from 'viem'
import type { ArgumentFacts } from '../../bytecode/function-arguments.js'
import {
  type ChangeKind,
  type PrivilegedChange,
  readPrivilegedFunctions,
  readTransferFields,
} from '../../bytecode/privileged-functions.js'
import { touches } from '../../bytecode/source-bits.js'
import { isForwardedSender, readTokenFacts } from '../../bytecode/token-facts.js'
import { callData, readAddress } from '../../dex/read-contract.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { Address, Hex } from '../../hex.js'
import { mostAdded } from '../bytecode/added-coins.js'
import { aimedChoices } from './aimed-writes.js'
import { listChoices, readParameters } from './choices.js'
import { fingerprintOf } from './fingerprint.js'
import { type ActingHolder, type HolderFinder, toAccount } from './holders.js'
import { momentChoices } from './moments.js'
import type { Choice } from './power.js'
import { readProxyAdmin, type TokenCode } from './read-contracts.js'
import { selfPlans } from './self-plans.js'
import type { Stage } from './stage.js'
import { keysOfWord, writesOf } from './writers.js'

/** One function of one contract, who may call it, and the calls worth trying. */
export interface Plan {
  contract: Address
  selector: Hex
  argumentTypes: string
  parameters: readonly AbiParameter[]
  arguments: readonly ArgumentFacts[]
  /** Suggested by a convention, whether or not the code has it. */
  isConventional: boolean
  holders: readonly ActingHolder[]
  /** Forwarders (ERC-2771) among them that name accounts which signed nothing. */
  speakers?: ReadonlySet<Address>
  /** What the code says that the function changes. */
  kinds: ReadonlySet<ChangeKind>
  writes: readonly PlannedWrite[]
  choices: readonly Choice[]
  /** Hash of the code, equal for clones, and what the present state decides about the function. */
  contractHash: Hex
  fingerprint: string
}

/** A write, as the code says it: of `width` bits from bit `shift` on. */
export interface PlannedWrite {
  /** As `storage-key.ts` names it. */
  variable: string
  shift: number
  width: number
  /** Known where the code writes always the same. */
  constant: bigint | undefined
  /** The most that a call adds to what is there, worked out from what it pays. */
  adds?: bigint
  /** The largest number that it leaves in these bits, where the code bounds it. */
  most?: bigint
}

export function toWrite(
  { subject }: Pick<TokenCode, 'subject'>,
  { effect, variable }: Pick<PrivilegedChange, 'effect' | 'variable'>,
): PlannedWrite[] {
  if (effect.kind !== 'write' || variable === undefined) return []
  const { shift, width, value } = effect
  const constant = value.op === 'const' ? value.value : undefined
  const adds = shift === 0 ? mostAdded(subject, effect) : undefined
  return [{ variable, shift, width, constant, ...(adds !== undefined && { adds }) }]
}

/** What an entry writes, and where. */
export type WritingEntry = Pick<Plan, 'contract' | 'selector' | 'argumentTypes' | 'writes'>

/** Functions of all codes together. The largest tokens have some forty. */
const MAX_PLANS = 96

/** What matters most to buyers comes first, in case that the budget ends. */
const ORDER: readonly ChangeKind[] = [
  'code',
  'balance',
  'allowance',
  'transfer',
  'supply',
  'destruct',
  'call',
  'create',
  'holder',
  'other',
]

/** Every plan, in the order in which they are tried. */
export function listPlans(
  stage: Stage,
  codes: readonly TokenCode[],
  finder: HolderFinder,
  { words, asked }: { words: readonly Slot[]; asked: readonly Plan[] },
): { plans: Plan[]; cut: boolean } {
  const own = codes.flatMap((code) => ownPlans(stage, code, finder, words))
  const ordered = [...own, ...asked].toSorted((a, b) => rankOf(a) - rankOf(b))
  const plans = [...conventionalPlans(stage, codes, finder), ...ordered, ...selfPlans(stage, codes, finder)]
  return { plans: plans.slice(0, MAX_PLANS), cut: plans.length > MAX_PLANS }
}

const rankOf = ({ kinds }: Plan) => ORDER.findIndex((kind) => kinds.has(kind))

/** Entries of mappings that one function is tried with. */
const MAX_KEYS = 3

/** Accounts, which calls name for themselves; what is larger is a name or the hash of one. */
const isAccount = (key: bigint) => key >= 1n << 120n && key < 1n << 160n

/** Keys, the outer first, of those words of the contract that the writes may be of. */
function keysOf(words: readonly Slot[], entry: WritingEntry, isOwn: boolean): bigint[][] {
  const found = new Map<string, bigint[]>()
  for (const word of words) {
    if (word.address !== entry.contract || writesOf(entry, word).length === 0) continue
    const keys = keysOfWord(word)
    if (keys.length > 0 && !(isOwn && keys.some(isAccount))) found.set(keys.join(), keys)
  }
  return [...found.values()].slice(0, MAX_KEYS)
}

/** The functions of one code; `words` are those whose entries they are to name. */
export function ownPlans(stage: Stage, code: TokenCode, finder: HolderFinder, words: readonly Slot[]): Plan[] {
  return readPrivilegedFunctions(code.facts).flatMap((fn) => {
    const { selector } = fn
    if (selector === undefined) return []
    const parameters = readParameters(code.types.get(selector), fn.arguments)
    if (parameters === undefined) return []
    const argumentTypes = parameters.map(({ type }) => type).join()
    const entry = {
      contract: code.account,
      selector,
      argumentTypes,
      writes: fn.changes.flatMap((change) => toWrite(code, change)),
    }
    const keys = keysOf(words, entry, code.account === stage.token)
    const holders = finder.holdersOf(code, fn)
    const speakers = speakersOf(code, selector, holders)
    const usual = listChoices(parameters, fn.arguments, keys, stage.positions)
    const aimed = code.account === stage.token ? aimedChoices(stage, fn.fn, parameters) : []
    return [
      {
        ...entry,
        parameters,
        arguments: fn.arguments,
        isConventional: false,
        holders,
        speakers,
        kinds: new Set(fn.changes.map(({ kind }) => kind)),
        choices: [
          ...aimed,
          ...usual.slice(0, 1),
          ...momentChoices(fn.fn, parameters, stage.fork.evm.block.timestamp),
          ...usual.slice(1),
        ],
        contractHash: code.facts.normalisedHash,
        fingerprint: `${fingerprintOf(code.subject, fn)} ${speakers.size}`,
      },
    ]
  })
}

/** Forwarders (ERC-2771) that name accounts which signed nothing. */
function speakersOf({ facts, subject }: TokenCode, selector: Hex, holders: readonly ActingHolder[]): Set<Address> {
  const asksForwarder = readTokenFacts(facts).balanceChanges.some(
    ({ fn, account }) => fn.selector === selector && isForwardedSender(account),
  )
  const addresses = asksForwarder ? holders.flatMap(({ address }) => address ?? []) : []
  return new Set(addresses.filter((each) => subject.forwarderAt(each) !== 'signed'))
}

/** `owner()` */
const OWNER = '0x8da5cb5b'

interface Convention {
  selector: Hex
  types: string
  choices: readonly Choice[]
}

const CALL: Choice = { address: 'hostile', others: 'hostile', number: 0n, flag: true }
/** How the code of proxies and beacons is exchanged: EIP-1822 and OpenZeppelin's proxies. */
const UPGRADES: readonly Convention[] = [
  { selector: '0x3659cfe6', types: 'address', choices: [CALL] },
  { selector: '0x4f1ef286', types: 'address,bytes', choices: [CALL] },
]
/** The same through OpenZeppelin's ProxyAdmin, of version 4 and of both. */
const ADMIN_UPGRADES: readonly Convention[] = [
  { selector: '0x99a88ec4', types: 'address,address', choices: [{ ...CALL, address: 'token' }] },
  { selector: '0x9623609d', types: 'address,address,bytes', choices: [{ ...CALL, address: 'token' }] },
]
/** `transferFrom` without an allowance, of the buyer's and of the pool's tokens. */
const TAKE: readonly Convention[] = [
  {
    selector: '0x23b872dd',
    types: 'address,address,uint256',
    choices: [
      { address: 'buyer', others: 'holder', number: 'held', flag: true },
      { address: 'pool', others: 'holder', number: 'reserve', flag: true },
    ],
  },
]

/** `flashLoan(address,address,uint256,bytes)` (ERC-3156): what is lent has to come back. */
const LOAN: readonly Convention[] = [
  {
    selector: '0x5cffe9de',
    types: 'address,address,uint256,bytes',
    choices: (['inflation', 'reserve'] as const).map((number) => ({ ...CALL, others: 'token', number })),
  },
]

/** A plain transfer of one unit: in some hands it marks the receiver. */
const GIVE: readonly Convention[] = [
  {
    selector: '0xa9059cbb',
    types: 'address,uint256',
    choices: [{ address: 'buyer', others: 'holder', number: 1n, flag: true }],
  },
]

/** Calls that conventions suggest, whatever the analysis of the code saw. */
function conventionalPlans(stage: Stage, codes: readonly TokenCode[], finder: HolderFinder): Plan[] {
  const [first] = codes
  if (first === undefined) return []
  const { fork, token } = stage
  const plan = (
    contract: Address,
    conventions: readonly Convention[],
    holders: ActingHolder[],
    kind: ChangeKind,
  ): Plan[] => {
    return conventions.flatMap(({ selector, types, choices }) => {
      const parameters = readParameters(types, [])
      if (parameters === undefined || holders.length === 0) return []
      const known = {
        argumentTypes: types,
        arguments: [],
        isConventional: true,
        kinds: new Set([kind]),
        writes: [],
        fingerprint: '',
      }
      return [{ contract, selector, parameters, holders, choices, contractHash: first.facts.normalisedHash, ...known }]
    })
  }
  const through = (contract: Address): ActingHolder[] => {
    const named = readAddress(fork, contract, callData(OWNER, []))
    const owner = named && toAccount(BigInt(named))
    return owner === undefined ? [] : [{ ...finder.describe(owner, false), through: contract }]
  }
  const admin = readProxyAdmin(fork, token)
  const beacons = new Set(codes.flatMap(({ subject }) => subject.delegations.flatMap(({ beacon }) => beacon ?? [])))
  const takers = finder.candidates.slice(0, MAX_TAKERS).map((address) => finder.describe(address, false))
  return [
    ...(admin === undefined ? [] : plan(admin, ADMIN_UPGRADES, through(admin), 'code')),
    ...(admin === undefined ? [] : plan(token, UPGRADES, [finder.describe(admin, false)], 'code')),
    ...[...beacons].flatMap((beacon) => plan(beacon, UPGRADES, through(beacon), 'code')),
    ...plan(token, TAKE, takers, 'allowance'),
    ...(codes.some(lends) ? plan(token, LOAN, [{ ...ANYONE, address: stage.fresh }], 'supply') : []),
    ...(codes.some(marksOnTransfer) ? plan(token, GIVE, takers, 'transfer') : []),
  ]
}

const ANYONE = { kind: 'anyone', delaySeconds: 0, isHidden: false } as const

const lends = ({ facts }: TokenCode) => facts.functions.some(({ selector }) => selector === LOAN[0]?.selector)

/** Whether a transfer writes, besides balances, what transfers depend on. */
function marksOnTransfer({ facts }: TokenCode): boolean {
  const fields = readTransferFields(facts)
  const { transfers } = readTokenFacts(facts)
  return transfers.some((fn) =>
    fn.effects.some((effect) => effect.kind === 'write' && fields.some(({ source }) => touches(effect, source))),
  )
}

/** Accounts that are tried as thieves of other people's tokens, and as givers. */
const MAX_TAKERS = 4
