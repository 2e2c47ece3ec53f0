import type { BytecodeReport, ThreatLevel } from '../bytecode/bytecode-report.js'

/**
 * What a holder can do to the trade of a token, by what its code says. They hold in every window.
 */
export interface Powers {
  canBlacklist: boolean
  controlsTrading: boolean
  canMint: boolean
  /** 0 to 100, higher is worse. */
  mintScore: number
  /** Empty where no address can mint. */
  mintReason: string
}

const BLACKLISTS = ['blacklist', 'native-policy']
const TRADING_CONTROLS = ['trading-switch', 'whitelist', 'native-pause']
const MINTS = ['hidden-mint', 'native-mint']
const MINT_SCORES: Record<ThreatLevel, number> = { HIGH: 90, MEDIUM: 50, LOW: 15 }

/** `undefined` where the code could not be analysed, which says nothing about any address. */
export function powersOf(report: BytecodeReport | undefined): Powers | undefined {
  if (report === undefined) return undefined
  const has = (ids: readonly string[]) => report.riskFlags.some(({ id }) => ids.includes(id))
  const mints = report.riskFlags.filter(({ id }) => MINTS.includes(id))
  const worst = mints.toSorted((a, b) => MINT_SCORES[b.threatLevel] - MINT_SCORES[a.threatLevel])[0]
  return {
    canBlacklist: has(BLACKLISTS),
    controlsTrading: has(TRADING_CONTROLS),
    canMint: worst !== undefined,
    mintScore: worst ? MINT_SCORES[worst.threatLevel] : 0,
    mintReason: worst?.description ?? '',
  }
}
