import {
  blsG1Add,
  blsG1Msm,
  blsG2Add,
  blsG2Msm,
  blsMapFp2ToG2,
  blsMapFpToG1,
  blsPairing,
} from '../../src/evm/precompiles/bls12-381.js'
import type { Precompile } from '../../src/evm/precompiles/precompile.js'
import { precompilesFor } from '../../src/evm/precompiles/precompiles-for.js'
import type { Word } from '../../src/instructions/word.js'

const G1_TERM = 160
const G2_TERM = 288
const PAIR = 384

/**
 * The precompiles of Prague as the draft of EIP-2537 had them: our arithmetic at the draft's
 * addresses and prices.
 */
export function draftBlsPrecompiles(): Map<Word, Precompile> {
  const precompiles = precompilesFor('cancun')
  const draft: [number, Precompile][] = [
    [0x0b, { ...blsG1Add, gas: () => 500 }],
    [0x0c, single(blsG1Msm, G1_TERM, 12_000)],
    [0x0d, { ...blsG1Msm, gas: (input) => msmGas(Math.floor(input.length / G1_TERM), 12_000) }],
    [0x0e, { ...blsG2Add, gas: () => 800 }],
    [0x0f, single(blsG2Msm, G2_TERM, 45_000)],
    [0x10, { ...blsG2Msm, gas: (input) => msmGas(Math.floor(input.length / G2_TERM), 45_000) }],
    [0x11, { ...blsPairing, gas: (input) => 65_000 + 43_000 * Math.floor(input.length / PAIR) }],
    [0x12, { ...blsMapFpToG1, gas: () => 5_500 }],
    [0x13, { ...blsMapFp2ToG2, gas: () => 75_000 }],
  ]
  for (const [address, precompile] of draft) precompiles.set(address, precompile)
  return precompiles
}

/** The multiplications that the final EIP left out are sums of one term. */
function single(msm: Precompile, bytes: number, gas: number): Precompile {
  return { ...msm, gas: () => gas, run: (input, tick) => (input.length === bytes ? msm.run(input, tick) : undefined) }
}

function msmGas(terms: number, unit: number): number {
  if (terms === 0) return 0
  return Math.floor((terms * unit * (DISCOUNTS[Math.min(terms, DISCOUNTS.length) - 1] as number)) / 1_000)
}

const DISCOUNTS =
  `1200 888 764 641 594 547 500 453 438 423 408 394 379 364 349 334 330 326 322 318 314 310 306 302 298 294 289 285 281 277
  273 269 268 266 265 263 262 260 259 257 256 254 253 251 250 248 247 245 244 242 241 239 238 236 235 233 232 231 229 228 226 225 223 222
  221 220 219 219 218 217 216 216 215 214 213 213 212 211 211 210 209 208 208 207 206 205 205 204 203 202 202 201 200 199 199 198 197 196
  196 195 194 193 193 192 191 191 190 189 188 188 187 186 185 185 184 183 182 182 181 180 179 179 178 177 176 176 175 174`
    .split(/\s+/)
    .map(Number)
