import { arbitrum } from './arbitrum.js'
import { base } from './base.js'
import { bsc } from './bsc.js'
import type { Chain } from './chain.js'
import { ethereum } from './ethereum.js'
import { optimism } from './optimism.js'

/** Every EVM chain that this service knows by itself; an operator adds others (`Config.chains`). */
export const chains: readonly Chain[] = [ethereum, bsc, base, arbitrum, optimism]

/** For texts: `1, 56, 8453`. */
export const listIds = (among: readonly Chain[]): string => among.map(({ id }) => id).join(', ')
export const CHAIN_IDS = listIds(chains)
/** For texts: `Ethereum 1, BNB Smart Chain 56`. */
export const CHAIN_NAMES = chains.map(({ name, id }) => `${name} ${id}`).join(', ')

export function findChain(id: number, among: readonly Chain[] = chains): Chain | undefined {
  return among.find((chain) => chain.id === id)
}

/**
 * The chain that a person means: by its id, its name, the initials of it (`bsc`), or so much of it
 * that no other begins alike (`arb`). Case and spaces do not count; `undefined` where it is none,
 * or not one alone.
 */
export function findChainNamed(text: string, among: readonly Chain[] = chains): Chain | undefined {
  if (/^\d{1,16}$/.test(text)) return findChain(Number(text), among)
  const wanted = squeeze(text)
  const exact = among.find(({ name }) => squeeze(name) === wanted || (wanted.length > 1 && initialsOf(name) === wanted))
  if (exact || wanted.length < LEAST_LETTERS) return exact
  const [begins, ...others] = among.filter(({ name }) => squeeze(name).startsWith(wanted))
  return others.length === 0 ? begins : undefined
}

/** Fewer are an accident. */
const LEAST_LETTERS = 3
const squeeze = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const initialsOf = (name: string) =>
  squeeze(
    name
      .split(' ')
      .map(([first = '']) => first)
      .join(''),
  )

/** The built-in chains and those of an operator, whose word on a chain goes before ours. */
export function withChains(own: readonly Chain[]): readonly Chain[] {
  return [...chains.map((chain) => findChain(chain.id, own) ?? chain), ...own.filter(({ id }) => !findChain(id))]
}
