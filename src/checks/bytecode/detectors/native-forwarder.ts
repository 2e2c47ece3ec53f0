import type { CallEffect } from '../../../bytecode/effects.js'
import type { FunctionFacts, Located } from '../../../bytecode/facts.js'
import { fromArgument, SOURCE } from '../../../bytecode/source.js'
import { hasSource, type Term } from '../../../bytecode/terms.js'
import { dependsOnCaller } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { readPower } from '../subject.js'

/** Flags functions that only pass on the native coin sent to them, and give nothing for it. */
export const nativeForwarder = defineDetector({
  id: 'native-forwarder',
  title: 'Passes Your Payment On',
  description: 'What is paid to this function goes straight to another address. Nothing is recorded or given for it.',
  confidence: 'medium',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn): Finding[] => {
      const payments = fn.effects.filter((effect) => effect.kind === 'call' && isForwarded(effect))
      const [first] = payments
      if (first === undefined || refusesPayment(fn) || givesSomething(fn, new Set(payments.map(({ pc }) => pc))))
        return []
      if (readPower(subject, fn, first.node).kind !== 'anyone') return []
      // A donation box says thank you: an event, and no other business.
      const thanks = fn.effects.some(({ kind }) => kind === 'log')
      return payments.map(({ pc }) => ({
        pc,
        ...(fn.selector && { selector: fn.selector }),
        severity: thanks ? 'low' : 'medium',
        note:
          payments.length > 1 ? 'splits the payment between fixed receivers' : 'sends the payment to a fixed receiver',
      }))
    }),
})

const isForwarded = ({ op, value, target }: Located<CallEffect>) =>
  op === 'CALL' && isPayment(value) && !dependsOnCaller(target) && !target.taint.sources.some(fromArgument)

const isPayment = (value: Term) => hasSource(value, SOURCE.callValue) || hasSource(value, SOURCE.selfBalance)

/** What is not payable sends what came before, and takes nothing from who calls it. */
const refusesPayment = ({ conditions }: FunctionFacts) =>
  conditions.some(({ term, fails }) =>
    term.op === 'ISZERO' ? term.args[0]?.op === 'CALLVALUE' && fails === false : term.op === 'CALLVALUE' && fails,
  )

/** Anything written, deployed, or called beyond the payments. */
const givesSomething = ({ effects }: FunctionFacts, payments: ReadonlySet<number>) =>
  effects.some(
    (effect) =>
      effect.kind === 'write' ||
      effect.kind === 'create' ||
      (effect.kind === 'call' && effect.op !== 'STATICCALL' && !payments.has(effect.pc)),
  )
