/** The lowest three bits of an instruction's code, and codes that stand alone (anza-xyz/sbpf). */
export const LOAD = 1
export const STORE_IMMEDIATE = 2
export const STORE = 3
export const NARROW_CLASS = 4
export const JUMP_CLASS = 5
/** Products in version 2, and since version 3 jumps that compare 32 bits. */
export const LATER_CLASS = 6
export const WIDE_CLASS = 7

export const JUMP = 0x05
export const LOAD_CONSTANT = 0x18
export const CALL = 0x85
export const CALL_REGISTER = 0x8d
export const EXIT = 0x95
/** Of version 2: a constant into the upper half. */
export const OR_HIGH = 0xf7
