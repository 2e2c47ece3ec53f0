import { createHash } from 'node:crypto'
import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { WalletRequest } from '../checks/wallet-request.js'
import type { Hex } from '../hex.js'
import { canonicalJson } from './canonical-json.js'

/** Which check a report is of. */
export type ReportCheck = 'simulation' | 'honeypot' | 'phishing' | 'solana' | 'solana-honeypot'

/**
 * What a report was made from. Together with the engine's version and the node's honesty, it
 * decides every other field.
 */
export interface ReportInputs {
  check: ReportCheck
  /**
   * As a client would ask for it, in one spelling and without a height: that is in the report's
   * block.
   */
  request: object
  /**
   * What the invented people come from. Absent on Solana, where an old state cannot be had again.
   */
  traderSeed?: Hex
  /**
   * SHA-256 of the canonical JSON of all of the above and of `at`: the hash of the block, or the
   * slots.
   */
  digest: Hex
}

/** Where a report stands: the hash of its block, or the slots that it was read over. */
export type ReportPlace = string | { first: number; last: number }

export function describeInputs(
  { check, request, traderSeed }: Omit<ReportInputs, 'digest'>,
  at: ReportPlace,
): ReportInputs {
  const inputs = { check, request, ...(traderSeed && { traderSeed }) }
  return {
    ...inputs,
    digest: `0x${createHash('sha256')
      .update(canonicalJson({ ...inputs, at }))
      .digest('hex')}`,
  }
}

/** The request that leads to `target`, in one spelling. */
export function toRequest(target: AnalysisTarget): object {
  const { chain, address, pair, poolId, simulateLiquidity, amount, only, trace, wallet } = target
  const where = poolId ?? pair
  return {
    targetContractAddress: address,
    chainId: chain.id,
    ...(where && { pair: where }),
    ...(simulateLiquidity && { simulateLiquidity }),
    ...(amount !== undefined && { amount: String(amount) }),
    ...(only && { only }),
    ...(trace && { trace }),
    ...(wallet && toWalletFields(wallet)),
  }
}

function toWalletFields({ from, to, value, calldata, calls, typedData, authorizationList }: WalletRequest): object {
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(value !== undefined && { value: String(value) }),
    ...(calldata !== undefined && { calldata }),
    ...(calls && { calls: calls.map((call) => withTexts({ ...call })) }),
    ...(typedData && { typedData }),
    ...(authorizationList && { authorizationList: authorizationList.map((each) => withTexts({ ...each })) }),
  }
}

/** Numbers as requests write them. */
const withTexts = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )

/**
 * Names what is asked about a target, whatever block it is about. `only` names the check where no
 * other is wanted. The plain questions, which are nearly all, are named without writing JSON.
 */
export function nameQuestion(target: AnalysisTarget, only?: string): string {
  const { chain, address, pair, poolId, simulateLiquidity, amount, trace, wallet } = target
  const where = `${chain.id} ${address} ${poolId ?? pair ?? ''}`
  const name = `${where} ${simulateLiquidity ?? false} ${amount ?? ''} ${trace ?? ''} ${only ?? ''}`
  return wallet === undefined ? name : `${name} ${canonicalJson(toRequest(target))}`
}

export const toSolanaRequest = ({ address }: SolanaTarget): object => ({
  targetContractAddress: address,
  chainId: 'SOL',
})
