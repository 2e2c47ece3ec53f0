import { readCallerWords } from '../../bytecode/caller-words.js'
import type { FunctionFacts } from '../../bytecode/facts.js'
import { transfer } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { type Address, bytesToHex, type Hex, toPaddedHex } from '../../hex.js'
import { isFixedAddress } from '../bytecode/fixed-address.js'
import { toAccount } from './holders.js'
import type { ProofStep } from './power.js'
import { createSentSteps } from './proof-scene.js'
import { readCode, readContracts, type TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Words of a call, by its sender and its function, that name who called that sender. */
export type OwnCallers = ReadonlyMap<Address, ReadonlyMap<Hex, ReadonlySet<number>>>

/** Contracts that a token names in its guards: bridges, vaults and lockers. */
const MAX_CONTRACTS = 4
/** Of what the bystander bought, what the one who calls such a contract gets a part of. */
const LENT_SHARE = 4n

/**
 * The stage on which contracts that hold a power call as their own code does: a bridge that burns
 * what its caller has burns nothing of those who do not call it. Who calls them has some of the
 * token for that.
 */
export function withOwnCallers(stage: Stage): Stage {
  const { fork, token, bystander, operator, scene } = stage
  const ownCallers = readOwnCallers(stage, readContracts(fork, token))
  if (ownCallers.size === 0) return stage
  const sent = createSentSteps()
  const lent = bystander.held / LENT_SHARE
  transfer({ ...bystander.context, watch: () => [sent] }, operator, lent)
  return {
    ...stage,
    ownCallers,
    bystander: { ...bystander, held: bystander.held - lent },
    scene: { ...scene, steps: [...scene.steps, ...sent.finish()] },
  }
}

/** The call as its sender makes it: no trader and no exchange has it call in their name. */
export function asCalled(stage: Stage, step: ProofStep): ProofStep {
  const { ownCallers, token, buyer, bystander, newcomer, exchange, operator } = stage
  const [selector, words] = [step.input.slice(0, 10) as Hex, step.input.slice(10)]
  const places = step.to === token ? ownCallers?.get(step.from)?.get(selector) : undefined
  if (places === undefined) return step
  const traders = [buyer.context, bystander.context, newcomer].map(({ trader }) => trader.address)
  const others = new Set([...traders, ...exchange].map((each) => toWord(each)))
  const called = (words.match(/.{1,64}/g) ?? []).map((word, place) =>
    places.has(place) && others.has(word) ? toWord(operator) : word,
  )
  return { ...step, input: `${selector}${called.join('')}` }
}

const toWord = (address: Address) => toPaddedHex(BigInt(address), 32).slice(2)

function readOwnCallers(stage: Stage, codes: readonly TokenCode[]): OwnCallers {
  // What runs other code in its own name may take one function's call for another's.
  const isPlain = ({ facts }: TokenCode) =>
    facts.functions.every(
      ({ selector, effects }) =>
        selector === undefined || effects.every((each) => each.kind !== 'call' || !RUNS_OTHERS.has(each.op)),
    )
  if (!codes.every(isPlain)) return new Map()
  const named = codes.flatMap(({ facts, subject }) =>
    facts.functions.flatMap(({ guards }) =>
      guards.flatMap(({ kind, holder }) =>
        kind === 'slot' || kind === 'constant' ? (subject.value(holder) ?? []) : [],
      ),
    ),
  )
  const contracts = [...new Set(named)]
    .flatMap((value) => toAccount(value) ?? [])
    .filter((each) => !stage.exchange.has(each) && stage.fork.evm.code(each).length > 0)
  return new Map(
    contracts.slice(0, MAX_CONTRACTS).flatMap((contract) => {
      const words = wordsOf(stage, codes, contract)
      return words.size === 0 ? [] : [[contract, words]]
    }),
  )
}

const RUNS_OTHERS: ReadonlySet<string> = new Set(['DELEGATECALL', 'CALLCODE'])

function wordsOf(stage: Stage, codes: readonly TokenCode[], contract: Address): ReadonlyMap<Hex, ReadonlySet<number>> {
  const found = new Map<Hex, ReadonlySet<number>>()
  for (const [selector, { places, within }] of readCallerWords(readCode(stage.fork.evm.code(contract)).facts)) {
    const called = codes.flatMap((code) =>
      code.facts.functions.filter((fn) => fn.selector === selector).map((fn) => isKept(code, fn, contract)),
    )
    const isForCallers = places.size > 0 && called.length > 0 && called.every(Boolean)
    if (isForCallers && !isCalledByExchange(stage, within)) found.set(selector, places)
  }
  return found
}

/** Whether the function is for this contract, and no other can be put in its place. */
function isKept({ subject }: TokenCode, { guards }: FunctionFacts, contract: Address): boolean {
  const isIt = (term: FunctionFacts['guards'][number]['holder']) => subject.value(term) === BigInt(contract)
  return (
    guards.some(({ holder }) => isIt(holder)) &&
    guards.every(({ kind, holder }) => {
      return (kind === 'slot' || kind === 'constant') && (!isIt(holder) || isFixedAddress(subject, holder))
    })
  )
}

/**
 * Whether a part of the exchange that has some of the token may call one of these functions: a
 * pool calls back what it is told to, and would be the caller whose tokens are taken.
 */
function isCalledByExchange({ fork, token, exchange }: Stage, functions: ReadonlySet<Hex | undefined>): boolean {
  const holders = [...exchange].filter((each) => (balanceOf(fork, token, each) ?? 1n) > 0n)
  const codes = holders.flatMap((each) => readContracts(fork, each).map(({ facts }) => bytesToHex(facts.program.code)))
  // Compilers push a selector without the zeros before it.
  return [...functions].some((selector) => {
    const name = selector?.slice(2).replace(/^(00)+/, '')
    return name === undefined || name === '' || codes.some((code) => code.includes(name))
  })
}
