import { expect, test } from 'vitest'
import { readContract } from '../devnet/artifacts.js'
import { hexToBytes } from '../hex.js'
import { readFacts } from './facts.js'
import { readForwarder } from './forwarder.js'

const read = (name: string) => readForwarder(readFacts(hexToBytes(readContract(name).runtimeBytecode)))

test.each(['VerifyingForwarder', 'BatchForwarder'])('%s speaks for those who signed', (name) => {
  expect(read(name)).toBe('signed')
})

test.each(['BelievingForwarder', 'HandRelay', 'OperatorsForwarder'])('%s speaks for its operator as well', (name) => {
  expect(read(name)).toBe('held')
})
