import { EMPTY_CODE_HASH } from '../../hex.js'
import type { BytecodeJudge } from '../bytecode/bytecode-judge.js'
import { isB20 } from './b20.js'
import { judgeB20 } from './judge-b20.js'
import type { ReadB20 } from './read-b20.js'

/**
 * Judges native tokens by what the chain answers about them, and everything else by its code: a
 * native token's own is a single byte that stands for a program inside the node, and would look
 * harmless.
 */
export function createNativeTokenJudge({ judge, ...others }: BytecodeJudge, readB20: ReadB20): BytecodeJudge {
  return {
    ...others,
    async judge(request) {
      const { state, address, chain, signal } = request
      if (!isB20(chain.id, address)) return judge(request)
      const [facts] = await Promise.all([
        readB20({ chain, address, head: state.block, ...(signal && { signal }) }),
        state.load([{ kind: 'account', address }]),
      ])
      return {
        isContract: true,
        ...judgeB20(address, facts),
        codeHash: state.account(address)?.codeHash ?? EMPTY_CODE_HASH,
        normalisedHash: undefined,
        familyCode: undefined,
        selectors: [],
        proxy: [],
        conditions: undefined,
      }
    },
  }
}
