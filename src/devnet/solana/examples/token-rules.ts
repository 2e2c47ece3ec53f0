import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, USDC } from '../../../solana/programs.js'
import { addressFor, placeMultisig, placeToken, type TokenOrder, wallet } from '../scene.js'
import type { SolanaExample } from '../solana-example.js'
import { extension } from '../token-data.js'

const owner = addressFor('owner')
/** Nothing is lost in any window. */
const FREE = [
  [0, 0],
  [0, 0],
  [0, 0],
] as const
const BLOCKED = [
  ['x', 'x'],
  ['x', 'x'],
  ['x', 'x'],
] as const
const both = (percent: number) =>
  [
    [percent, percent],
    [percent, percent],
    [percent, percent],
  ] as const

const token =
  (name: string, order: TokenOrder): SolanaExample['place'] =>
  (chain) => {
    chain.set(owner, wallet())
    return placeToken(chain, name, order).mint
  }

/** Mints that differ in what the token program itself enforces. */
export const RULES: readonly SolanaExample[] = [
  {
    name: 'plain',
    summary: 'A plain token without owners, whose liquidity is burnt.',
    place: token('plain', {}),
    expect: { trustStatus: 'Safe', windows: list(FREE), isHoneypot: false, isTimeHoneypot: false },
  },
  {
    name: 'mintable',
    summary: 'An authority can make more of it.',
    place: token('mintable', { mintAuthority: owner }),
    expect: { trustStatus: 'Medium Risk', windows: list(FREE), findings: ['mint'], proven: ['mint'] },
  },
  {
    name: 'freezable',
    summary: 'An authority can freeze any holder.',
    place: token('freezable', { freezeAuthority: owner }),
    expect: { trustStatus: 'High Risk', windows: list(FREE), findings: ['freeze'], proven: ['freeze'] },
  },
  {
    name: 'trusted dollar',
    summary: 'A dollar whose issuer can freeze and mint, which is well known.',
    place: token('trusted dollar', { address: USDC, freezeAuthority: owner, mintAuthority: owner }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), proven: ['freeze', 'mint'] },
  },
  {
    name: 'fee of 1 %',
    summary: 'One percent of every transfer is withheld.',
    place: token('fee 1', { extensions: [extension.transferFee({ bps: 100 })] }),
    expect: { trustStatus: 'Low Risk', windows: list(both(1)), findings: ['tax'], absent: ['mutable-fee'] },
  },
  {
    name: 'fee of 15 %',
    summary: 'Fifteen percent of every transfer are withheld.',
    place: token('fee 15', { extensions: [extension.transferFee({ bps: 1_500 })] }),
    expect: { trustStatus: 'High Risk', windows: list(both(15)), findings: ['high-tax'], isHoneypot: false },
  },
  {
    name: 'fee of 99 %',
    summary: 'Nearly everything is withheld.',
    place: token('fee 99', { extensions: [extension.transferFee({ bps: 9_900 })] }),
    expect: { trustStatus: 'Critical Risk', windows: list(both(99)), isHoneypot: true, isTimeHoneypot: false },
  },
  {
    name: 'scheduled fee',
    summary: 'Nothing is withheld now, and 99 % in two epochs: the authority set that and left.',
    place: (chain) =>
      placeToken(chain, 'scheduled fee', {
        extensions: [extension.transferFee({ bps: 0, later: { epoch: chain.clock.epoch + 2n, bps: 9_900 } })],
      }).mint,
    expect: {
      trustStatus: 'Critical Risk',
      windows: [
        [0, 0],
        [0, 0],
        [99, 99],
      ],
      isHoneypot: false,
      isTimeHoneypot: true,
      findings: ['time-delayed'],
    },
  },
  {
    name: 'scheduled fee of 30 %',
    summary: 'Nothing is withheld now, and 30 % in two epochs: less than a trap, and not what a buyer sees now.',
    place: (chain) =>
      placeToken(chain, 'scheduled fee 30', {
        extensions: [extension.transferFee({ bps: 0, later: { epoch: chain.clock.epoch + 2n, bps: 3_000 } })],
      }).mint,
    expect: {
      trustStatus: 'High Risk',
      windows: [
        [0, 0],
        [0, 0],
        [30, 30],
      ],
      isHoneypot: false,
      isTimeHoneypot: false,
      findings: ['high-tax'],
    },
  },
  {
    name: 'scheduled fee of 3 %',
    summary: 'Nothing is withheld now, and 3 % in two epochs.',
    place: (chain) =>
      placeToken(chain, 'scheduled fee 3', {
        extensions: [extension.transferFee({ bps: 0, later: { epoch: chain.clock.epoch + 2n, bps: 300 } })],
      }).mint,
    expect: { trustStatus: 'Low Risk', findings: ['tax'], absent: ['high-tax'], isTimeHoneypot: false },
  },
  {
    name: 'fee that ends',
    summary: '35 % are withheld now, and nothing in two epochs.',
    place: (chain) =>
      placeToken(chain, 'fee that ends', {
        extensions: [extension.transferFee({ bps: 3_500, later: { epoch: chain.clock.epoch + 2n, bps: 0 } })],
      }).mint,
    expect: {
      trustStatus: 'High Risk',
      windows: [
        [35, 35],
        [35, 35],
        [0, 0],
      ],
      findings: ['high-tax'],
    },
  },
  {
    name: 'scheduled fee with a cap',
    summary: 'Ninety percent of small transfers in two epochs, and next to nothing of large ones.',
    place: (chain) =>
      placeToken(chain, 'scheduled fee with a cap', {
        extensions: [
          extension.transferFee({ bps: 0, maximum: 1_000n, later: { epoch: chain.clock.epoch + 2n, bps: 9_000 } }),
        ],
      }).mint,
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['tax'], absent: ['high-tax', 'time-delayed'] },
  },
  {
    name: 'raisable fee',
    summary: 'Nothing is withheld, and an authority can change that.',
    place: token('raisable fee', { extensions: [extension.transferFee({ authority: owner, bps: 0 })] }),
    expect: { trustStatus: 'High Risk', windows: list(FREE), findings: ['mutable-fee'], proven: ['mutable-fee'] },
  },
  {
    name: 'capped fee',
    summary: 'Half of small transfers is withheld, and next to nothing of large ones.',
    place: token('capped fee', { extensions: [extension.transferFee({ bps: 5_000, maximum: 1_000n })] }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['tax'] },
  },
  {
    name: 'permanent delegate',
    summary: 'An authority can take or destroy the tokens of every holder.',
    place: token('permanent delegate', { extensions: [extension.permanentDelegate(owner)] }),
    expect: {
      trustStatus: 'Critical Risk',
      windows: list(FREE),
      findings: ['permanent-delegate'],
      proven: ['permanent-delegate'],
    },
  },
  {
    name: 'frozen by default',
    summary: 'New accounts are frozen; only the pool is not.',
    place: token('frozen by default', { freezeAuthority: owner, extensions: [extension.defaultState(2)] }),
    expect: { trustStatus: 'Critical Risk', windows: list(BLOCKED), isHoneypot: true, findings: ['accounts-frozen'] },
  },
  {
    name: 'not transferable',
    summary: 'The token cannot be transferred at all.',
    place: token('not transferable', { extensions: [extension.nonTransferable()] }),
    expect: { trustStatus: 'Critical Risk', windows: list(BLOCKED), findings: ['not-transferable'] },
  },
  {
    name: 'pausable',
    summary: 'An authority can stop all transfers.',
    place: token('pausable', { extensions: [extension.pausable(owner, false)] }),
    expect: { trustStatus: 'High Risk', windows: list(FREE), findings: ['pause'], proven: ['pause'] },
  },
  {
    name: 'paused',
    summary: 'All transfers are stopped.',
    place: token('paused', { extensions: [extension.pausable(owner, true)] }),
    expect: { trustStatus: 'Critical Risk', windows: list(BLOCKED), findings: ['paused'] },
  },
  {
    name: 'interest bearing',
    summary: 'Wallets show interest.',
    place: token('interest bearing', { extensions: [extension.interestBearing(owner, 500)] }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['interest-display'] },
  },
  {
    name: 'scaled display',
    summary: 'Wallets show a multiple of what is held.',
    place: token('scaled display', { extensions: [extension.scaledUiAmount(owner, 10)] }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['scaled-display'] },
  },
  {
    name: 'closable mint',
    summary: 'The mint can be closed and made again when the supply is nil.',
    place: token('closable mint', { extensions: [extension.closeAuthority(owner)] }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['close-authority'] },
  },
  {
    name: 'confidential',
    summary: 'Amounts can be hidden.',
    place: token('confidential', { extensions: [extension.confidentialTransfer(owner)] }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['confidential-transfers'] },
  },
  {
    name: 'mutable name',
    summary: 'An authority can give it another name.',
    place: (chain) => {
      const address = addressFor('mint mutable name')
      const named = extension.metadata({ updateAuthority: owner, mint: address, name: 'Some Name', symbol: 'SOME' })
      const pointer = extension.metadataPointer(owner, address)
      return placeToken(chain, 'mutable name', { address, extensions: [pointer, named] }).mint
    },
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['mutable-metadata'] },
  },
  {
    name: 'permissioned burn',
    summary: 'No holder can burn without an authority.',
    place: token('permissioned burn', { extensions: [extension.permissionedBurn(owner)] }),
    expect: { trustStatus: 'Low Risk', windows: list(FREE), findings: ['permissioned-burn'] },
  },
  {
    name: 'freezable by a multisig',
    summary: 'Two of three people can freeze any holder together.',
    place: (chain) => {
      const authority = placeMultisig(chain, 'legacy', TOKEN_PROGRAM)
      return placeToken(chain, 'freezable by a multisig', { freezeAuthority: authority }).mint
    },
    expect: { trustStatus: 'Medium Risk', windows: list(FREE), findings: ['freeze'], proven: ['freeze'] },
  },
  {
    name: 'pausable by a multisig',
    summary: 'Two of three people can stop all transfers together.',
    place: (chain) => {
      const authority = placeMultisig(chain, 'token-2022', TOKEN_2022_PROGRAM)
      return placeToken(chain, 'pausable by a multisig', { extensions: [extension.pausable(authority, false)] }).mint
    },
    expect: { trustStatus: 'Medium Risk', windows: list(FREE), findings: ['pause'], proven: ['pause'] },
  },
]

/** Copies what is constant into what an expectation takes. */
function list<T extends readonly (readonly [number | 'x', number | 'x'])[]>(
  windows: T,
): [number | 'x', number | 'x'][] {
  return windows.map(([buy, sell]) => [buy, sell])
}
