/**
 * Functions analysed per contract; beyond it the analysis is incomplete. Large contracts of the
 * wild have about 120.
 */
export const MAX_FUNCTIONS = 256

/**
 * Selectors to try although no comparison with them was seen: the compiler may dispatch through a
 * table of its own (Vyper), so that the candidates of another finder are united with ours.
 */
export function mergeSelectors(
  seen: Iterable<number>,
  candidates: Iterable<number>,
): { selectors: number[]; cut: boolean } {
  const all = [...new Set([...seen, ...candidates])].sort((a, b) => a - b)
  return { selectors: all.slice(0, MAX_FUNCTIONS), cut: all.length > MAX_FUNCTIONS }
}

export const toSelectorHex = (selector: number): `0x${string}` => `0x${selector.toString(16).padStart(8, '0')}`
