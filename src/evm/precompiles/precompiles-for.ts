import type { EngineFacts } from '../../chains/chain.js'
import type { Word } from '../../instructions/word.js'
import type { BlockEnvironment } from '../block-environment.js'
import { type RuleSet, ruleSets } from '../rules.js'
import { createArbSys } from './arb-sys.js'
import { blake2f } from './blake2f.js'
import { blsG1Add, blsG1Msm, blsG2Add, blsG2Msm, blsMapFp2ToG2, blsMapFpToG1, blsPairing } from './bls12-381.js'
import { byzantiumBn254, createBn254Add, createBn254Mul, createBn254Pairing, istanbulBn254 } from './bn254.js'
import { ecrecover } from './ecrecover.js'
import { identity, ripemd160, sha256 } from './hashes.js'
import { kzgPointEvaluation } from './kzg.js'
import { berlinPricing, byzantiumPricing, createModexp, osakaPricing } from './modexp.js'
import { createP256Verify } from './p256-verify.js'
import type { Precompile } from './precompile.js'

type Introduced = readonly [address: number, since: RuleSet, precompile: Precompile]

const P256_VERIFY = 0x100

/** Later entries of one address replace earlier ones. */
const TABLE: readonly Introduced[] = [
  [0x01, 'frontier', ecrecover],
  [0x02, 'frontier', sha256],
  [0x03, 'frontier', ripemd160],
  [0x04, 'frontier', identity],
  [0x05, 'byzantium', createModexp(byzantiumPricing)],
  [0x06, 'byzantium', createBn254Add(byzantiumBn254)],
  [0x07, 'byzantium', createBn254Mul(byzantiumBn254)],
  [0x08, 'byzantium', createBn254Pairing(byzantiumBn254)],
  [0x06, 'istanbul', createBn254Add(istanbulBn254)],
  [0x07, 'istanbul', createBn254Mul(istanbulBn254)],
  [0x08, 'istanbul', createBn254Pairing(istanbulBn254)],
  [0x09, 'istanbul', blake2f],
  [0x05, 'berlin', createModexp(berlinPricing)],
  [0x0a, 'cancun', kzgPointEvaluation],
  [0x0b, 'prague', blsG1Add],
  [0x0c, 'prague', blsG1Msm],
  [0x0d, 'prague', blsG2Add],
  [0x0e, 'prague', blsG2Msm],
  [0x0f, 'prague', blsPairing],
  [0x10, 'prague', blsMapFpToG1],
  [0x11, 'prague', blsMapFp2ToG2],
  [0x05, 'osaka', createModexp(osakaPricing)],
  [P256_VERIFY, 'osaka', createP256Verify(6_900)],
]

const ARB_SYS = 0x64

/** The precompiles of a chain under a rule set, by address. */
export function precompilesFor(
  rules: RuleSet,
  { p256, system }: EngineFacts = {},
  block?: () => BlockEnvironment,
): Map<Word, Precompile> {
  const rank = ruleSets.indexOf(rules)
  const early: Introduced[] = p256 ? [[P256_VERIFY, p256.since, createP256Verify(p256.gas)]] : []
  const table = [...early, ...TABLE]
  const begun = table.filter(([, since]) => ruleSets.indexOf(since) <= rank)
  const precompiles = new Map<Word, Precompile>(begun.map(([address, , precompile]) => [address, precompile]))
  if (system === 'arbitrum' && block !== undefined) precompiles.set(ARB_SYS, createArbSys(block))
  return precompiles
}
