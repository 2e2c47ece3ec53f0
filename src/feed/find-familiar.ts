import { disassemble } from '../bytecode/disassemble.js'
import { hashShape, joinShapes } from '../bytecode/shape-hash.js'
import type { FamilyStore } from '../families/family-store.js'
import { rulesHashOf } from '../families/to-solana-member.js'
import { type Address, type Hex, hexToBytes } from '../hex.js'
import { getCode } from '../rpc/methods.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { WATCHED_BYTES } from '../solana/account-words.js'
import type { SolanaAddress } from '../solana/address.js'
import { getMultipleAccounts } from '../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import { parseMint } from '../solana/token/mint.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { FindFamiliar } from './market-source.js'

/** The family codes of tokens, as far as they can be told before a token is judged. */
type ReadFamilyCodes = (tokens: readonly TokenAddress[]) => Promise<ReadonlyMap<TokenAddress, Hex>>

/** Knows a token of whose family others were judged before: most launches are copies. */
export const createFindFamiliar =
  (readCodes: ReadFamilyCodes, families: Pick<FamilyStore, 'findKnown'>): FindFamiliar =>
  async (tokens) => {
    if (tokens.length === 0) return new Set()
    try {
      const codes = await readCodes([...new Set(tokens)])
      const known = await families.findKnown([...new Set(codes.values())])
      return new Set([...codes].filter(([, code]) => known.has(code)).map(([token]) => token))
    } catch {
      // It is only about the order.
      return new Set()
    }
  }

/** A clone of EIP-1167, with the address that it delegates to. */
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/

/** From the code itself; other proxies than clones are not followed, and count as not known. */
export const readEvmFamilyCodes =
  (rpc: Pick<RpcClient, 'batch'>): ReadFamilyCodes =>
  async (tokens) => {
    const readAll = async (addresses: readonly Address[]) => {
      const asked = addresses.map((address) => getCode(address, 'latest'))
      const answers = asked.length === 0 ? [] : await rpc.batch(asked, { suspect: 'chain' })
      return new Map(
        addresses.flatMap((address, i) => {
          const answer = answers[i]
          return answer?.ok && answer.value !== '0x' ? [[address, answer.value] as const] : []
        }),
      )
    }
    const codes = await readAll(tokens as Address[])
    const targetOf = (code: Hex) => CLONE.exec(code)?.[1] as string | undefined
    const targets = [...codes.values()].flatMap((code) => targetOf(code) ?? []).map((target): Address => `0x${target}`)
    const logic = await readAll([...new Set(targets)])
    const shapeOf = (code: Hex) => hashShape(disassemble(hexToBytes(code)))
    return new Map(
      [...codes].flatMap(([token, code]) => {
        const target = targetOf(code)
        const behind = target === undefined ? undefined : logic.get(`0x${target}`)
        if (target !== undefined && behind === undefined) return []
        return [[token, joinShapes(shapeOf(code), behind === undefined ? [] : [shapeOf(behind)])] as const]
      }),
    )
  }

/** From the mint alone: the code of a hook is not read, so that mints with one are not known. */
export const readSolanaFamilyCodes =
  (rpc: Pick<SolanaRpc, 'call'>): ReadFamilyCodes =>
  async (tokens) => {
    const addresses = tokens as SolanaAddress[]
    const { value } = await rpc.call(getMultipleAccounts({ addresses, prefixBytes: WATCHED_BYTES }), {
      suspect: 'chain',
    })
    return new Map(
      addresses.flatMap((address, i) => {
        const mint = parseMint(address, value[i])
        if (mint === undefined || mint.extensions.transferHook?.program !== undefined) return []
        return [[address, rulesHashOf(mint, undefined)] as const]
      }),
    )
  }
