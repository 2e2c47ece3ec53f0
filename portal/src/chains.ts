import { CHAINS } from './chain-list.js'

export const findChain = (id: string) => CHAINS.find((chain) => chain.id === id)
export const coinOf = (id: string) => findChain(id)?.coin ?? 'coin'
