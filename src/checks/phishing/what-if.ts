import type { Address } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { dataOf } from './call-data.js'
import { assumeEqual, type Guards, withEqualSides } from './guard-holders.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { findSignerCheck } from './signed-orders.js'
import { type Call, tryCall } from './try-call.js'
import { createKeyedStranger } from './victim.js'

/** Where code has to be assumed to agree: one what-if after the other. Whether one does harm. */
type WhatIf = (stage: Stage, call: Call) => boolean

/** Tries something on a branch and rewrites what it finds. Whether that is harm. */
function suppose(stage: Stage, play: () => void, rewrite: (found: PhishingFinding) => PhishingFinding): boolean {
  const before = stage.findings.length
  branch(stage.fork, play)
  const found = stage.findings.splice(before).filter(({ check }) => check !== undefined)
  stage.findings.push(...found.map(rewrite))
  return found.length > 0
}

/** What-if: the sender is the account that the code recognises by a hash. */
export function tryAsObfuscated(stage: Stage, call: Call, guards: Guards['obfuscated']): boolean {
  const { evm } = stage.fork
  return guards.some(({ codeAddress, pc }) => {
    const code = assumeEqual(evm.code(codeAddress), pc)
    if (code === undefined) return false
    return suppose(
      stage,
      () => {
        evm.setCode(codeAddress, code)
        tryCall(stage, call)
      },
      (finding) => ({ ...finding, id: 'hidden-operator', caller: undefined }),
    )
  })
}

/** What-if: the account whose signature the code asks for signed. */
export const tryAsSigner: WhatIf = (stage, call) => {
  const { fork, random } = stage
  const { evm } = fork
  let isListed = false
  return suppose(
    stage,
    () => {
      const signer = createKeyedStranger(fork, random, 'signer of orders')
      const check = findSignerCheck(stage, call.entry, call.marks, signer)
      if (check === undefined) return
      isListed = 'slot' in check
      if ('slot' in check) evm.setStorage(check.account, check.slot, 1n)
      else evm.setCode(check.codeAddress, withEqualSides(evm.code(check.codeAddress), check.pc))
      tryCall(stage, { ...call, signer: signer.key })
    },
    (finding) =>
      // Several owners who sign for what it is to call are those of a wallet.
      isListed && finding.id === 'guarded-executor'
        ? { ...finding, id: 'wallet-module', check: undefined }
        : { ...finding, id: 'signed-order', caller: undefined },
  )
}

/** What-if: the caller is put on whatever list the function looked for it in. */
export function tryAsListed(stage: Stage, call: Call, outcome: Outcome): void {
  const { fork, target, secondOutsider } = stage
  const { entry, marks } = call
  const other = stage.play({ from: secondOutsider, to: entry.at ?? target, data: dataOf(entry, marks) })
  for (const { account, slot } of ownSlots(outcome, other)) {
    const before = stage.findings.length
    branch(fork, () => {
      fork.evm.setStorage(account, slot, 1n)
      tryCall(stage, { ...call, by: 'listed' })
    })
    const found = stage.findings.splice(before)
    const isOwnList = found.length > 0 && grantsItself(stage, account, slot)
    stage.findings.push(
      ...found.map((finding) => (isOwnList ? { ...finding, id: 'wallet-module' as const, check: undefined } : finding)),
    )
    if (found.length > 0) return
  }
}

const MAX_LISTS = 4

/** Empty words that the one caller's run read and the other's did not: entries under the caller. */
function ownSlots(outcome: Outcome, other: Outcome): { account: Address; slot: bigint }[] {
  return [...outcome.storage.reads]
    .flatMap(([account, slots]) =>
      [...slots]
        .filter(([slot, value]) => value === 0n && other.storage.reads.get(account)?.has(slot) !== true)
        .map(([slot]) => ({ account, slot })),
    )
    .slice(0, MAX_LISTS)
}

/**
 * Whether the contract alone decides who is on the list, as wallets do with their modules: some
 * function that only it may call writes the entry.
 */
function grantsItself(stage: Stage, account: Address, slot: bigint): boolean {
  const { target, outsider } = stage
  return stage.entries.some((entry) => {
    const values = entry.template.leaves.map(({ type }, i) =>
      type === 'address' ? BigInt(outsider) : (stage.marks.valuesFor(entry.template)[i] ?? 0n),
    )
    const data = dataOf(entry, values)
    const writes = (from: Address) => stage.play({ from, to: target, data }).storage.writes.get(account)?.has(slot)
    return writes(target) === true && writes(stage.secondOutsider) !== true
  })
}
