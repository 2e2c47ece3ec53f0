import type { ContractFacts, FunctionFacts } from './facts.js'
import { fromArgument, SOURCE } from './source.js'

/** `isValidSignature(bytes32,bytes)` (EIP-1271) */
const IS_VALID_SIGNATURE = 0x1626ba7en
/** The precompile that recovers who signed. */
const ECRECOVER = 1n

/**
 * Whether the contract makes calls with words of its caller's choice for every caller: in its name,
 * and in the name of whichever account the words end with (ERC-2771). A function that asks for a
 * signature anywhere is given the benefit of the doubt, as verified forwarders check many ways at
 * once; so is one that adds who called it, as batches of one's own calls do.
 */
export const isOpenForwarder = ({ functions }: ContractFacts): boolean => functions.some(forwardsAll)

const forwardsAll = (fn: FunctionFacts): boolean =>
  !asksForSignature(fn) &&
  fn.effects.some(
    (effect) =>
      effect.kind === 'call' &&
      effect.op === 'CALL' &&
      effect.selector.op !== 'const' &&
      effect.inputTaint.sources.some(fromArgument) &&
      !effect.inputTaint.sources.includes(SOURCE.caller) &&
      fn.guardsOf(effect.node).length === 0,
  )

/** Whether the function asks the chain, or a wallet that is a contract, who signed. */
export const asksForSignature = ({ effects }: FunctionFacts): boolean =>
  effects.some(
    (effect) =>
      effect.kind === 'call' &&
      ((effect.target.op === 'const' && effect.target.value === ECRECOVER) ||
        effect.selector.value === IS_VALID_SIGNATURE),
  )
