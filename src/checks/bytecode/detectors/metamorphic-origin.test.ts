import { testDetector } from '../detector.conformance.js'
import { testFixtures } from '../fixtures.conformance.js'
import { metamorphicOrigin } from './metamorphic-origin.js'

/** Deploys these bytes with CREATE2 from a word of memory, left-aligned as creation code begins. */
function deployer(creationCode: string): string {
  const size = (creationCode.length / 2).toString(16).padStart(2, '0')
  return `0x7f${creationCode.padEnd(64, '0')}5f525f60${size}5f5ff500`
}

/**
 * Asks its maker for an address (`f()`, 0x26121ff0) and returns that account's code as the new
 * contract's.
 */
const FETCHING = '6326121ff05f5260205f6004601c335afa505f51803b80915f5f913c5ff3'
/** Returns ten bytes of its own. */
const CARRYING = '69600160005260206000f35f52600a6016f3'

/** 2023-01-01: Shanghai's rules at the latest, where SELFDESTRUCT still removes code. */
const BEFORE_CANCUN = 1_672_531_200n

testFixtures(metamorphicOrigin)

testDetector(metamorphicOrigin, {
  flags: [
    { name: 'creation code that copies another account’s code', code: deployer(FETCHING), level: 'MEDIUM' },
    { name: 'destructible code before EIP-6780', code: '0x33ff', timestamp: BEFORE_CANCUN, at: [1], level: 'MEDIUM' },
  ],
  ignores: [
    { name: 'creation code that carries its runtime', code: deployer(CARRYING) },
    { name: 'creation code with the opcode in push data only', code: deployer('613c3c5f5260206000f3') },
    { name: 'creation code from call data', code: '0x60205f5f375f60205f5ff000' },
    { name: 'destructible code since EIP-6780', code: '0x33ff' },
    { name: 'a contract that copies foreign code into memory', code: '0x60205f5f333c00' },
  ],
})
