/**
 * Remembers bytes under names, for as long as there is room. Nothing depends on it but speed: every
 * value can be learned again, so a store that is slow, full or broken answers `undefined`, and
 * never rejects.
 */
export interface FactStore {
  get(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>
  set(key: string, value: Uint8Array): Promise<void>
}
