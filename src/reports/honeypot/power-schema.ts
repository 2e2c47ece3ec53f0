import { type Static, Type } from 'typebox'

const address = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description })

const Holder = Type.Object(
  {
    kind: Type.String({
      description:
        'account, delegated (EIP-7702), multisig, timelock, contract, unknown (a check that names no address), renounced, unset or anyone.',
    }),
    address: orNull(Type.String(), 'Who must send the call; null where no address could be named.'),
    through: orNull(Type.String(), 'The contract through which the holder acts, such as the admin of a proxy.'),
    threshold: orNull(Type.Integer(), 'Signatures that a multisig needs.'),
    owners: orNull(Type.Integer(), 'Owners of a multisig.'),
    isHidden: Type.Boolean({
      description: 'Kept from sight: an obfuscated check, or a holder beside an owner who has gone.',
    }),
  },
  { description: 'Who has the power now.' },
)

const word = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description })

export const StepBody = Type.Object({
  from: address('Who sends it.'),
  to: address('To which contract.'),
  input: Type.String({ description: 'Call data.' }),
  value: Type.String({ description: 'Wei that are sent along.' }),
  waitSeconds: Type.Integer({ minimum: 0, description: 'What has to pass since the step before.' }),
})
export type StepBody = Static<typeof StepBody>

const Proof = Type.Object({
  settings: Type.Array(
    Type.Object({ address: address('In which contract.'), slot: word('Which word.'), value: word('To what.') }),
    { description: 'Storage that was set before the steps, where no call that could be made writes it.' },
  ),
  steps: Type.Array(StepBody),
  outcome: Type.String({ description: 'What came of it.' }),
})

const Scene = Type.Object(
  {
    code: Type.Array(
      Type.Object({ address: address('Where it lay.'), code: Type.String({ description: 'Code that refuses all.' }) }),
    ),
    steps: Type.Array(StepBody, { description: 'Two people buy, and let the exchange take what they bought.' }),
    sale: StepBody,
  },
  { description: 'What comes before the steps of each proof, and the sale of the first buyer that then went through.' },
)

export type SceneBody = Static<typeof Scene>

/** One element of `powers`. */
export const PowerBody = Type.Object(
  {
    contract: address('Whose function it is.'),
    selector: Type.String({ pattern: '^0x[0-9a-f]{8}$' }),
    signature: orNull(Type.String(), 'The name that this selector usually has; null where it is not known.'),
    argumentTypes: Type.String({ description: 'Types of the arguments, as the code tells them.' }),
    holder: Holder,
    effect: Type.String({ description: 'What the worst case is; `none` where no call that was tried did harm.' }),
    loss: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'Share of what a buyer has that the worst case takes or locks, percent; of an issue of tokens, the share of the pool that it can take.',
    }),
    worstCase: Type.String({ description: 'The worst case in words.' }),
    isBounded: Type.Boolean({ description: 'Whether the code keeps it below half of the value.' }),
    isReversible: orNull(Type.Boolean(), 'Whether another call of the holder undid it; null where that was not tried.'),
    delaySeconds: Type.Integer({ description: 'How long a timelock makes the holder wait.' }),
    riskScore: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'What it is worth, by its effect and its holder.',
    }),
    tried: Type.Integer({ description: 'Calls of this function that were tried.' }),
    isShownBySetting: Type.Boolean({
      description: 'No call went through; what the function may write was set on the copy of the chain, and did this.',
    }),
    proof: orNull(
      Proof,
      'What leads to the worst case after the purchases of `powersTried.scene` in the state of this block.',
    ),
  },
  {
    description:
      'What a holder of power can do to those who have bought, found by acting as its holder on a copy of the chain.',
  },
)
export type PowerBody = Static<typeof PowerBody>

export const EffortBody = orNull(
  Type.Object({
    calls: Type.Integer(),
    trades: Type.Integer(),
    unfinished: orNull(Type.String(), 'Why something may be missing; the verdict is then at least `Medium Risk`.'),
    scene: Type.Optional(Scene),
    omitted: Type.Optional(Type.String({ description: 'What was left out, which leaves the verdict as it is.' })),
  }),
  'How much the search for powers did. Null where there was no trade to try them on.',
)
