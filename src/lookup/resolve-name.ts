import { namehash, normalize } from 'viem/ens'
import type { Address, Hex } from '../hex.js'
import { RpcRejectedError } from '../rpc/node-replies.js'

/** Asks a contract of Ethereum; rejects with `RpcRejectedError` when that refuses. */
export type AskContract = (to: Address, data: Hex) => Promise<Hex>

/** The registry of ENS (https://docs.ens.domains/learn/deployments). */
export const ENS_REGISTRY: Address = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

const RESOLVER = '0x0178b8bf'
const ADDR = '0x3b3b57de'

/** Longer than any name of a person's; normalising costs time with the length. */
const MAX_NAME_CHARS = 255

/**
 * A name in the one spelling that ENS knows (ENSIP-15); `undefined` for what is none. Two names
 * that look alike are two names here, and most that only look like another are refused.
 */
export function readName(text: string): string | undefined {
  if (text.length > MAX_NAME_CHARS || !/^[^\s/?#]+\.eth$/i.test(text)) return undefined
  try {
    return normalize(text)
  } catch {
    return undefined
  }
}

/**
 * The address that a name stands for by contracts alone; `undefined` where there is none. Names
 * that a resolver keeps elsewhere (EIP-3668) are not found: no other host is asked. Rejects when no
 * node answers.
 */
export async function resolveName(name: string, ask: AskContract): Promise<Address | undefined> {
  const node = namehash(name).slice(2)
  const resolver = await askForAddress(ask, ENS_REGISTRY, `${RESOLVER}${node}`)
  return resolver && askForAddress(ask, resolver, `${ADDR}${node}`)
}

async function askForAddress(ask: AskContract, to: Address, data: Hex): Promise<Address | undefined> {
  try {
    return readAddress(await ask(to, data))
  } catch (error) {
    if (error instanceof RpcRejectedError && error.isAnswer) return undefined
    throw error
  }
}

/** One word with an address in it; anything else, and zero, is none. */
function readAddress(word: Hex): Address | undefined {
  const digits = /^0x0{24}([0-9a-f]{40})$/.exec(word)?.[1]
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`
}
