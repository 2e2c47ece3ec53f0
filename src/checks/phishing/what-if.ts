import type { Address } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { signLeads } from './attack-signatures.js'
import { dataOf } from './call-data.js'
import { assumeEqual, type Guards, withEqualSides } from './guard-holders.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { findSignerCheck } from './signed-orders.js'
import { type Call, isHarm, type Tried, tryCall } from './try-call.js'
import { createKeyedStranger } from './victim.js'

/** Where code has to be assumed to agree: one what-if after the other. Whether one does harm. */
type WhatIf = (stage: Stage, call: Call) => boolean

/** Tries something on a branch and rewrites what it finds. Whether that is harm. */
function suppose(stage: Stage, play: () => void, rewrite: (found: PhishingFinding) => PhishingFinding): boolean {
  const before = stage.findings.length
  branch(stage.fork, play)
  const found = stage.findings.splice(before).filter(isHarm)
  stage.findings.push(...found.map(rewrite))
  return found.length > 0
}

/**
 * What-if: the sender is the account that the code recognises by a hash. `ask` looks for what else
 * a call asks for that it is refused then.
 */
export function tryAsObfuscated(
  stage: Stage,
  call: Call,
  guards: Guards['obfuscated'],
  ask: (refused: Call) => void,
): boolean {
  const { evm } = stage.fork
  return guards.some(({ codeAddress, pc }) => {
    const code = assumeEqual(evm.code(codeAddress), pc)
    if (code === undefined) return false
    return suppose(
      stage,
      () => {
        evm.setCode(codeAddress, code)
        if (!tryCall(stage, call).outcome.success) ask(call)
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
  let account: Address | undefined
  return suppose(
    stage,
    () => {
      const signer = createKeyedStranger(fork, random, 'signer of orders')
      const check = findSignerCheck(stage, call.entry, call.marks, signer)
      if (check === undefined) return
      isListed = 'slot' in check
      account = 'signer' in check ? check.signer : undefined
      if ('slot' in check) evm.setStorage(check.account, check.slot, 1n)
      else evm.setCode(check.codeAddress, withEqualSides(evm.code(check.codeAddress), check.pc))
      tryCall(stage, { ...call, signer: signer.key })
    },
    (finding) =>
      // Several owners who sign for what it is to call are those of a wallet.
      isListed && (stage.isOwn || finding.id === 'guarded-executor')
        ? { ...finding, id: 'wallet-module', check: undefined }
        : { ...finding, id: 'signed-order', caller: account },
  )
}

/** Words that are empty and may be for a signer. */
const MAX_UNSET = 4

/**
 * What-if: the account has named its signer, where the code finds none yet and only the account
 * can name one. That is a wallet's own affair, and shows what the call is.
 */
export function tryAsUnsetSigner(stage: Stage, call: Call, { leads }: Tried): void {
  const { fork, random, target } = stage
  if (leads.signatures.length === 0) return
  const { key } = branch(fork, () => createKeyedStranger(fork, random, 'signer of orders'))
  const marks = [...call.marks]
  signLeads(marks, leads, key)
  // Behind a signature that is one of an account's at all, the code looks whose it is.
  const outcome = stage.play({ from: call.caller, to: call.entry.at ?? target, data: dataOf(call.entry, marks) })
  const words = [...(outcome.storage.reads.get(target) ?? [])].filter(([, value]) => value === 0n)
  for (const [slot] of words.slice(0, MAX_UNSET)) {
    if (!grantsItself(stage, target, slot)) continue
    suppose(
      stage,
      () => {
        const signer = createKeyedStranger(fork, random, 'signer of orders')
        fork.evm.setStorage(target, slot, BigInt(signer.address))
        tryCall(stage, { ...call, signer: signer.key })
      },
      (finding) => ({ ...finding, id: 'wallet-module', check: undefined }),
    )
  }
}

/**
 * What-if: the caller is put on whatever list the function looked for it in. `ask` goes on where
 * the call is refused there as well. Whether something was found.
 */
export function tryAsListed(stage: Stage, call: Call, outcome: Outcome, ask?: (listed: Call) => void): boolean {
  const { fork, target, secondOutsider } = stage
  const { entry, marks } = call
  const other = stage.play({ from: secondOutsider, to: entry.at ?? target, data: dataOf(entry, marks) })
  for (const { account, slot } of ownSlots(outcome, other)) {
    const before = stage.findings.length
    branch(fork, () => {
      fork.evm.setStorage(account, slot, 1n)
      const listed = { ...call, by: 'listed' as const }
      if (!tryCall(stage, listed).outcome.success) ask?.(listed)
    })
    const found = stage.findings.splice(before)
    const isOwnList = found.length > 0 && grantsItself(stage, account, slot)
    stage.findings.push(
      ...found.map((finding) => (isOwnList ? { ...finding, id: 'wallet-module' as const, check: undefined } : finding)),
    )
    if (found.length > 0) return true
  }
  return false
}

const MAX_LISTS = 4

/** Empty words that the one caller's run read and the other's did not: entries under the caller. */
export function ownSlots(outcome: Outcome, other: Outcome): { account: Address; slot: bigint }[] {
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
export function grantsItself(stage: Stage, account: Address, slot: bigint): boolean {
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
