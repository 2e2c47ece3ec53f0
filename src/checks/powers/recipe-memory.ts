import type { Hex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import type { Recipe } from './power.js'

/**
 * What worked on which code. Learned by each process for itself; it saves work and decides nothing.
 */
export interface RecipeMemory {
  recall(contractHashes: readonly Hex[]): Recipe[]
  learn(recipes: readonly Recipe[]): void
}

/** Codes remembered; clones come in swarms, so that the last ones matter. */
const MAX_CODES = 2_000
/** Recipes of one code, over all states that it was met in. */
const MAX_RECIPES = 200

export function createRecipeMemory(): RecipeMemory {
  const known = createCountedLru<Hex, Recipe[]>(MAX_CODES)
  return {
    recall: (hashes) => hashes.flatMap((hash) => known.get(hash) ?? []),
    learn(recipes) {
      for (const hash of new Set(recipes.map(({ contractHash }) => contractHash))) {
        const fresh = recipes.filter(({ contractHash }) => contractHash === hash)
        const isFresh = (recipe: Recipe) =>
          fresh.some(({ selector, fingerprint }) => selector === recipe.selector && fingerprint === recipe.fingerprint)
        const others = (known.get(hash) ?? []).filter((recipe) => !isFresh(recipe))
        known.set(hash, [...fresh, ...others].slice(0, MAX_RECIPES))
      }
    },
  }
}
