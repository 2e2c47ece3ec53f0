import { FULL_BPS } from '../../dex/tax.js'
import { type Address, hexToBytes, toPaddedHex } from '../../hex.js'
import { assemble } from '../../state/assemble.js'
import { isDeadAddress } from '../dead-address.js'
import { REGISTRY } from '../fixed-places.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import { gravityOf } from './gravity.js'
import { NO_SELECTOR } from './hidden-entries.js'
import { HOSTILE_CODE, registryOfOthers } from './hostile-code.js'
import { type Effect, lookAtTrade } from './look.js'
import type { Holder, Power } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Addresses without code that are given some, and functions that are called to run it. */
const MAX_UNBORN = 3
const MAX_FUNCTIONS = 3

/**
 * What a contract could do that does not exist yet: where a sale asks an address without code, or
 * the token runs the code of one, code of ours is placed there. An address that was never used
 * waits for its contract; no honest token obeys what is not there to be read.
 */
export function tryUnborn(
  stage: Stage,
  codes: readonly TokenCode[],
  silent: readonly Address[],
  hasBudget: () => boolean,
): Power[] {
  const asked = silent.slice(0, MAX_UNBORN).flatMap((address) => {
    if (!hasBudget()) return []
    const [worst] = onBranch(stage, () => {
      stage.fork.evm.setCode(address, address === REGISTRY ? registryFor(stage) : HOSTILE_CODE)
      return lookAtTrade({ ...stage, hostile: address }, { hasNumber: false }, true)
    }).toSorted((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))
    return worst === undefined ? [] : [toPower(stage, address, worst, 'each sale asks')]
  })
  const run = codes.flatMap((code) => delegatesOf(stage, code)).slice(0, MAX_FUNCTIONS)
  const ruled = run.flatMap(({ code, input, address }) => {
    if (!hasBudget() || !runsThere(stage, code, input, address)) return []
    const effect: Effect = { kind: 'replaces-code', lossBps: FULL_BPS, outcome: 'the token then ran code of ours' }
    return [toPower(stage, address, effect, 'the token runs')]
  })
  return [...asked, ...ruled].slice(0, MAX_UNBORN)
}

/**
 * No code but one can come to this place, and there each account says what is told of it: those
 * who trade say nothing, exchanges can say nothing, and all others may.
 */
function registryFor({ buyer, bystander, newcomer, exchange, hostile }: Stage): Uint8Array {
  const traders = [buyer.context, bystander.context, newcomer].map(({ trader }) => trader.address)
  return registryOfOthers([...traders, ...exchange], hostile)
}

interface Delegate {
  code: TokenCode
  /** A call that no guard keeps from running the code at the address. */
  input: `0x${string}`
  address: Address
}

const WORDS_OF_INPUT = 8

function delegatesOf({ fork }: Stage, code: TokenCode): Delegate[] {
  return code.facts.functions.flatMap((fn) =>
    fn.effects.flatMap((effect): Delegate[] => {
      if (effect.kind !== 'call' || (effect.op !== 'DELEGATECALL' && effect.op !== 'CALLCODE')) return []
      const value = code.subject.value(effect.target)
      if (value === undefined || value >= 1n << 160n || isDeadAddress(value) || fn.guardsOf(effect.node).length > 0)
        return []
      const address = toPaddedHex(value, 20)
      if (fork.evm.code(address).length > 0) return []
      return [{ code, address, input: `${fn.selector ?? UNKNOWN_SELECTOR}${'00'.repeat(32 * WORDS_OF_INPUT)}` }]
    }),
  )
}

/** No function begins with it. */
const UNKNOWN_SELECTOR = '0xa55a9e12'

/** A word that no contract has, and code that writes into it. */
const PLACE = '0x61737361792d756e626f726e'
const WRITER = hexToBytes(assemble(`0x1 ${PLACE} #55 0x0 0x0 RETURN`))

function runsThere(stage: Stage, { account }: TokenCode, input: `0x${string}`, address: Address): boolean {
  const { fork, fresh, operator, effort } = stage
  effort.calls += 1
  return onBranch(stage, () => {
    fork.evm.setCode(address, WRITER)
    return actAs(fork, { from: fresh, to: account, input }, operator).writes.get(account)?.has(BigInt(PLACE)) === true
  })
}

function toPower({ fork }: Stage, address: Address, effect: Effect, how: string): Power {
  const isUnused = fork.evm.account(address).nonce === 0n
  const holder: Holder = isUnused
    ? { kind: 'unknown', address, delaySeconds: 0, isHidden: true }
    : { kind: 'account', address, delaySeconds: 0, isHidden: false }
  return {
    ...{ contract: address, selector: NO_SELECTOR, argumentTypes: '', holder },
    ...{ effect: effect.kind, lossBps: effect.lossBps },
    ...(effect.purchasesGoOn !== undefined && { purchasesGoOn: effect.purchasesGoOn }),
    worstCase: `${how} an address where there is no contract yet; with one of ours there, ${effect.outcome}`,
    isBounded: effect.lossBps < FULL_BPS / 2,
    isReversible: undefined,
    tried: 1,
    proof: undefined,
  }
}
