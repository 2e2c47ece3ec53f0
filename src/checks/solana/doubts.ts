import { programDataAddress } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { MAINNET_EPOCHS } from '../../solana/cluster-clock.js'
import { ATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/programs.js'
import type { Mint } from '../../solana/token/mint.js'

/**
 * What a node says that cannot be so, or that it alone says against what is true of all public
 * clusters; in words for the report.
 */
export function doubtsOf(state: SolanaState, mint: Mint, nodes: number): string[] {
  const { schedule, told } = state.epochs
  const doubts: string[] = []
  if (!told) doubts.push('the node contradicts itself about the epochs of the cluster')
  else if (schedule.slotsPerEpoch !== MAINNET_EPOCHS.slotsPerEpoch && nodes < 2) {
    doubts.push('one node alone says how long an epoch is')
  }
  if (isFeeTooLate(mint, state.clock.epoch)) doubts.push('the node contradicts itself about the epoch')
  if (missingPrograms(state).length > 0) doubts.push('the node does not know the programs of all tokens')
  return doubts
}

/** The token program lets a fee begin two epochs after it was set, and no later. */
const isFeeTooLate = ({ extensions: { transferFee } }: Mint, epoch: bigint) =>
  transferFee !== undefined && transferFee.newer.epoch > epoch + FEE_DELAY_EPOCHS

const FEE_DELAY_EPOCHS = 2n

/** Programs that stand on every cluster, but that are none by the node's word. */
export function missingPrograms({ accounts }: SolanaState): SolanaAddress[] {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ATA_PROGRAM].filter((address) => {
    const program = accounts.get(address)
    const code = program && programDataAddress(program)
    return program?.executable !== true || (code !== undefined && accounts.get(code) === undefined)
  })
}
