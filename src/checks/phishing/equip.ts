import { callData } from '../../dex/read-contract.js'
import { type Address, WORD_MASK } from '../../hex.js'
import { sendAs } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { PAYMENT_GAS } from './books.js'
import type { Stage } from './phishing-stage.js'
import { giveToken } from './victim.js'

/** Gives an account of a token what it may pay in, and has it approve the target. */
export function equip({ fork, target }: Stage, who: Address, { kind, token, symbol, decimals }: Holding): void {
  if (kind !== 'erc20' || giveToken(fork, who, { token, symbol, decimals }, 1n) === undefined) return
  sendAs(fork, { from: who, to: token, data: callData(APPROVE, [target, WORD_MASK]), gasLimit: PAYMENT_GAS })
}

/** `approve(address,uint256)` */
const APPROVE = '0x095ea7b3'
