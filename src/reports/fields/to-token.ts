import { isFailed } from '../../checks/settle.js'
import type { SolanaReport } from '../../checks/solana/solana-report.js'
import { checksumAddress } from '../../checksum-address.js'
import { plainText } from '../../untrusted-text.js'
import type { Assessment } from '../assess.js'
import type { TokenBody } from './token.js'

/** What the token says that it is, as every answer shows it. */
export function toToken({ simulation }: Pick<Assessment, 'simulation'>): TokenBody {
  const identity = simulation && !isFailed(simulation) ? simulation.identity : undefined
  if (identity === undefined) return null
  const { name, symbol, decimals = null, totalSupply, marks, imitates } = identity
  return {
    ...{ name, symbol, decimals },
    totalSupply: totalSupply === undefined ? null : String(totalSupply),
    marks: [...marks],
    imitates: imitates ? { symbol: imitates.symbol, address: checksumAddress(imitates.address) } : null,
  }
}

/** The same of a Solana token, whose copies are among its findings. */
export function toSolanaToken(report: SolanaReport): TokenBody {
  if (report.kind !== 'token') return null
  const { mint, names } = report
  return {
    name: plainText(names.name),
    symbol: plainText(names.symbol),
    decimals: mint.decimals,
    totalSupply: String(mint.supply),
    marks: [],
    imitates: null,
  }
}
