import { testDetector } from '../detector.conformance.js'
import { killSwitch } from './kill-switch.js'

const OWNER = { '0x0': 0xabcdef0123456789abcdef0123456789abcdef01n }
/** `if (caller != storage[0]) revert(); selfdestruct(caller)` */
const GUARDED = '0x6000543314600b575f5ffd5b33ff'

testDetector(killSwitch, {
  flags: [
    { name: 'a selfdestruct after push data', code: '0x6000ff', at: [2], level: 'HIGH' },
    { name: 'one that only an active owner can trigger', code: GUARDED, storage: OWNER, at: [13], level: 'MEDIUM' },
    {
      name: 'a guarded one that would take native coin along',
      code: GUARDED,
      storage: OWNER,
      balance: 1n,
      level: 'HIGH',
    },
    {
      name: 'a guarded one on the rules before Cancun',
      code: GUARDED,
      storage: OWNER,
      timestamp: 1_700_000_000n,
      level: 'HIGH',
    },
    { name: 'one whose owner is gone, as a curiosity', code: GUARDED, level: 'LOW' },
    { name: 'one behind a computed jump', code: '0x6003600301565b33ff', at: [8] },
    { name: 'one inside what looks like a metadata trailer', code: '0x600b5600a26469706673585b33ff000a', at: [13] },
  ],
  ignores: [
    { name: '0xff inside push data', code: '0x60ff' },
    { name: 'one behind a jump that is never taken', code: '0x5f600657005b5b33ff' },
    { name: 'one whose way always ends in a revert', code: '0x5f5ffd5b33ff' },
    { name: 'the byte in the metadata trailer', code: '0x00a264697066735822ff33ff000b' },
  ],
})
