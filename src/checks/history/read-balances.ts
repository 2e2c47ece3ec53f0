import { balanceOf } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { defineScenario } from '../../simulation/scenario.js'

/** What the token says that each account has, in base units; `undefined` where it does not say. */
export const readBalances = defineScenario({
  module: import.meta.url,
  name: 'readBalances',
  run: (fork, { token, accounts }: { token: Address; accounts: readonly Address[] }) =>
    accounts.map((account) => balanceOf(fork, token, account)),
})
