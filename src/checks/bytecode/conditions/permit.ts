import type { FunctionFacts } from '../../../bytecode/facts.js'

/** permit(owner,spender,value,deadline,v,r,s) of EIP-2612. */
export const isPermit = ({ selector }: FunctionFacts): boolean => selector === '0xd505accf'
