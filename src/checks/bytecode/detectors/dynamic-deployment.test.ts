import { testDetector } from '../detector.conformance.js'
import { dynamicDeployment } from './dynamic-deployment.js'

/** `if (selector == …) create2(0, 0, 0, 0)`, as a function of that selector. */
const inFunction = (selector: string) => `0x5f3560e01c63${selector}14600f57005b5f5f5f5ff500`

testDetector(dynamicDeployment, {
  flags: [
    { name: 'CREATE', code: '0x5f5f5ff000', at: [3], level: 'LOW' },
    { name: 'CREATE2 in a function', code: inFunction('12345678'), at: [20], level: 'LOW' },
    { name: 'a deployment during a transfer', code: inFunction('a9059cbb'), at: [20], level: 'MEDIUM' },
  ],
  ignores: [
    { name: '0xf0 and 0xf5 inside push data', code: '0x61f0f500' },
    { name: 'a deployment behind a stop', code: '0x005f5f5ff000' },
    { name: 'a deployment that is always undone', code: '0x5f5f5ff05f5ffd' },
  ],
})
