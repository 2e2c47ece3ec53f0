import { expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../../scripts/trap-compilers.js'
import { bytesToHex } from '../../hex.js'
import { PROBE_NFT_CODE, PROBE_TOKEN_CODE } from './probe-code.js'

const generation = generations.find(({ label }) => label === '0.8.30')

test.each([
  ['ProbeToken', PROBE_TOKEN_CODE],
  ['ProbeNft', PROBE_NFT_CODE],
] as const)('%s is what its source compiles to', (name, code) => {
  const creation = generation && readCompiledTraps(generation, 'phishing')?.get(name)
  expect(creation?.endsWith(bytesToHex(code).slice(2))).toBe(true)
})
