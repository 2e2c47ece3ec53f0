import { hexToBytes } from '../hex.js'
import { createMemoryStateSource } from './memory-state-source.js'
import { stateSourceConformance } from './state-source.conformance.js'

stateSourceConformance('memory', async () => {
  const world = {
    contract: '0x00000000000000000000000000000000000c0de0',
    code: hexToBytes('0x5f545f5260205ff3'),
    storage: new Map([
      [0n, 1n],
      [1n << 255n, 2n],
    ]),
    holder: '0x00000000000000000000000000000000000a11ce',
    holderBalance: 5n,
    holderNonce: 3n,
    unused: '0x00000000000000000000000000000000deadbeef',
  } as const
  const state = createMemoryStateSource({
    accounts: {
      [world.contract]: { code: world.code, storage: world.storage },
      [world.holder]: { balance: world.holderBalance, nonce: world.holderNonce },
    },
  })
  return { state, world }
})
