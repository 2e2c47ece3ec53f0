import { grammarToken, type LeafShape, MOVING, STORED } from './token-grammar.js'

/** Clauses of one transfer. */
const MAX_CLAUSES = 3

/** What one clause does where its condition holds; the last are harmless. */
const EFFECTS = [
  'if ({c}) revert();',
  'if ({c}) return false;',
  'if ({c}) return true;',
  'sent = {c} ? sent / 100 : sent;',
  'if ({c}) goal = owner;',
  'if ({c}) cost = cost + balances[from] + 1;',
  'if ({c}) emit Noted(amount);',
  'if ({c}) noted = noted + 1;',
  'if ({c}) sent = sent - sent / 20;',
] as const

const GUARDS = ['onlyOwner', 'onlyKeeper', ''] as const

/**
 * Tokens `R0`, `R1`, … whose transfers are joined from clauses: each asks for one leaf, of which
 * most can be moved, and does harm or none.
 */
export function generateTokens(next: () => number, count: number): string {
  return Array.from({ length: count }, (_, index) => generateToken(next, `R${index}`)).join('\n')
}

function generateToken(next: () => number, name: string): string {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const clauses = Array.from({ length: 1 + Math.floor(next() * MAX_CLAUSES) }, (_, index) => {
    const isMoved = next() < 0.5
    const { setter = '', ...leaf } = numbered(pick(next() < 0.7 ? STORED : MOVING), index)
    return { ...leaf, setter: isMoved ? setter.replace('{guard}', pick(GUARDS)) : '', effect: pick(EFFECTS) }
  })
  return grammarToken(
    name,
    `uint256 noted;
  ${clauses.map(({ state = '', setter }) => `${state}\n${setter}`).join('\n')}`,
    `
    uint256 sent = amount; uint256 cost = amount; address goal = to;
    ${clauses.map(({ noted = '', effect, condition }) => `${noted}\n${effect.replace('{c}', condition)}`).join('\n')}
    take(from, cost);
    balances[goal] = balances[goal] + sent;
    return true;`,
  )
}

/** With variables and functions of its own. */
function numbered(leaf: LeafShape, index: number): LeafShape {
  const rename = (text: string | undefined) =>
    text?.replaceAll(/\b(stop|marked|level|most|end|keeper|count|put)\b/g, (word) => `${word}${index}`)
  return Object.fromEntries(
    Object.entries(leaf).map(([key, text]) => [key, key === 'name' ? text : rename(text)]),
  ) as unknown as LeafShape
}
