import { createHash } from 'node:crypto'
import { SOLANA_ID } from '../chains/chain-id.js'
import { isHostileScore } from '../checks/levels.js'
import type { SolanaTokenReport } from '../checks/solana/solana-report.js'
import type { Hex } from '../hex.js'
import type { Verdict } from '../reports/verdict.js'
import type { Mint } from '../solana/token/mint.js'
import { type FamilyMember, MAX_TRAITS } from './family-member.js'
import { behaviourOf, taxClass } from './to-member.js'

/** What makes a mint one of a family: it has no code of its own, and rules in its place. */
export const solanaFamilyCodeOf = ({ mint, hook }: Pick<SolanaTokenReport, 'mint' | 'hook'>): Hex =>
  rulesHashOf(mint, hook?.codeHash)

/**
 * Hash of a mint's rules, without what differs between copies: addresses, fees, names, supply. What
 * is left are the token program, the extensions, which powers are held at all, and the code that is
 * asked about transfers; `undefined` where that is none, or not known.
 */
export function rulesHashOf(mint: Mint, hookCode: string | undefined): Hex {
  const { tokenProgram, mintAuthority, freezeAuthority, extensions, extensionNames, unknownExtensions } = mint
  const held = Object.entries(extensions).flatMap(([name, extension]) => {
    const { authority, delegate, program } = extension as Readonly<Record<string, unknown>>
    return [authority, delegate, program].some((holder) => holder !== undefined) ? [name] : []
  })
  const rules = {
    ...{ tokenProgram, extensions: [...extensionNames].sort(), unknown: [...unknownExtensions].sort((a, b) => a - b) },
    held: [...(mintAuthority ? ['mint'] : []), ...(freezeAuthority ? ['freeze'] : []), ...held].sort(),
    ...{ isFrozen: extensions.defaultState?.frozen ?? false, isMalformed: mint.malformed, hookCode: hookCode ?? '' },
  }
  return `0x${createHash('sha256').update(JSON.stringify(rules)).digest('hex')}`
}

/**
 * What is remembered of a token that was judged. `undefined` for what did not finish, and for what
 * has no market: neither says whether it is hostile.
 */
export function toSolanaMember(
  report: SolanaTokenReport,
  { level, score }: Pick<Verdict, 'level' | 'score'>,
  now: number,
): FamilyMember | undefined {
  const { mint, gaps, windows, pools } = report
  if (gaps.length > 0 || windows.length === 0 || pools.length === 0) return undefined
  const traits = traitsOf(report)
  return {
    ...{ chainId: SOLANA_ID, address: mint.address, code: solanaFamilyCodeOf(report) },
    ...{ traits, behaviour: behaviourOf(traits), creator: undefined },
    ...{ firstAt: now, lastAt: now, firstLevel: level, lastLevel: level },
    isHostile: isHostileScore(score) || report.isHoneypot,
    isTurned: false,
  }
}

function traitsOf({ authorities, play, windows: [now] }: SolanaTokenReport): string[] {
  const traits = [
    ...(play?.hook?.harmful ?? []).map(({ by }) => `decides ${by}`),
    ...authorities.map(({ power, authority }) => `power ${power} ${authority.kind}`),
    `buy tax ${taxClass(now?.buyTaxBps ?? 0)}`,
    `sell tax ${taxClass(now?.sellTaxBps ?? 0)}`,
  ]
  return [...new Set(traits)].sort().slice(0, MAX_TRAITS)
}
