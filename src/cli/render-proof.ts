import { BaseError } from '../errors.js'

/** A transaction, as reports have it. */
interface Step {
  from: string
  to: string
  input: string
  value: string
  waitSeconds: number
}

/** One thing to ask a node of a fork, or to say. */
export type ProofLine =
  | { kind: 'say'; text: string }
  | { kind: 'ask'; method: string; params: readonly string[] }
  | { kind: 'send'; step: Step }
  /** The state of before is kept, or gone back to. */
  | { kind: 'keep' | 'back' }

/** What one power takes to be shown. */
export interface ProofScript {
  effect: string
  lines: readonly ProofLine[]
}

/** Coins that each sender gets on the fork. Wei: ten thousand. */
const SAVINGS = '0x21e19e0c9bab2400000'

/**
 * What a third party sends to a fork at the report's block to see each of its proven powers: what
 * comes before all of them, then one script for each. Throws a {@link NoProofError} where there is
 * none.
 */
export function listProofs(report: Readonly<Record<string, unknown>>): {
  scene: readonly ProofLine[]
  sale: Step
  proofs: readonly ProofScript[]
} {
  const { powers, powersTried } = tradeOf(report)
  const { scene } = powersTried ?? {}
  const proven = powers?.filter(({ proof }) => proof) ?? []
  if (!scene || proven.length === 0) throw new NoProofError()
  const lines: ProofLine[] = [
    { kind: 'say', text: 'Two people buy, and let the exchange take what they bought.' },
    ...scene.code.map(({ address, code }) => ask('anvil_setCode', address, code)),
    ...scene.steps.flatMap(toLines),
  ]
  return { scene: lines, sale: scene.sale, proofs: proven.map(toScript) }
}

function toScript({ effect, worstCase, holder, delaySeconds, proof }: PowerOfReport): ProofScript {
  const { settings = [], steps = [] } = proof ?? {}
  // A timelock's calls come after what it makes its holder wait.
  const delay = holder.kind === 'timelock' ? delaySeconds : 0
  return {
    effect,
    lines: [
      { kind: 'say', text: `${effect}: ${worstCase}` },
      ...waitFor(delay),
      ...settings.map(({ address, slot, value }) => ask('anvil_setStorageAt', address, slot, value)),
      ...steps.flatMap(toLines),
    ],
  }
}

const ask = (method: string, ...params: string[]): ProofLine => ({ kind: 'ask', method, params })

const waitFor = (seconds: number): ProofLine[] =>
  seconds > 0 ? [ask('evm_increaseTime', `0x${seconds.toString(16)}`), ask('evm_mine')] : []

const toLines = (step: Step): ProofLine[] => [
  ...waitFor(step.waitSeconds),
  ask('anvil_impersonateAccount', step.from),
  ask('anvil_setBalance', step.from, savingsFor(step)),
  { kind: 'send', step },
]

/** What the largest payment of a proof leaves is enough for gas. */
const savingsFor = ({ value }: Step) => `0x${(BigInt(SAVINGS) + BigInt(value)).toString(16)}`

/** The same as a shell script for `cast`, which reads the node's address from `ETH_RPC_URL`. */
export function renderProofs(report: Readonly<Record<string, unknown>>): string {
  const { scene, sale, proofs } = listProofs(report)
  const end: ProofLine[] = [
    { kind: 'say', text: 'The sale that went through before.' },
    ...toLines(sale),
    { kind: 'back' },
  ]
  const all = [...scene, ...proofs.flatMap(({ lines }): ProofLine[] => [{ kind: 'keep' }, ...lines, ...end])]
  return `${[...headOf(report), ...all.map(renderLine)].join('\n')}\n`
}

function headOf({ block }: Readonly<Record<string, unknown>>): string[] {
  const number = typeof block === 'object' && block !== null ? Reflect.get(block, 'number') : undefined
  const at = Number.isSafeInteger(number) ? ` --fork-block-number ${number}` : ''
  return [`# anvil --fork-url <node>${at}`, '# export ETH_RPC_URL=http://127.0.0.1:8545']
}

/** More than any call of a proof takes. */
const GAS_LIMIT = 8_000_000

function renderLine(line: ProofLine): string {
  switch (line.kind) {
    case 'say':
      return `# ${line.text.replace(/[\s\p{Cc}]+/gu, ' ')}`
    case 'ask':
      return ['cast rpc', line.method, ...line.params.map(toWord)].join(' ')
    case 'keep':
      return `KEPT=$(cast rpc evm_snapshot | tr -d '"'); NOW=$(cast block latest --field timestamp)`
    case 'back':
      // What a proof waits for is no part of the state.
      return 'cast rpc evm_revert "$KEPT"; cast rpc evm_setTime "$NOW"'
    case 'send': {
      const { from, to, input, value } = line.step
      const data = input === '0x' ? [] : [toWord(input)]
      const told = ['--from', toWord(from), '--value', toWord(value), toWord(to), ...data]
      return ['cast send --unlocked --gas-limit', GAS_LIMIT, ...told].join(' ')
    }
  }
}

/** A report is a file of someone: nothing of it is a command. */
function toWord(text: unknown): string {
  if (typeof text !== 'string' || !/^\w+$/.test(text)) throw new NoProofError()
  return text
}

interface PowerOfReport {
  effect: string
  worstCase: string
  delaySeconds: number
  holder: { kind: string }
  proof: { settings: { address: string; slot: string; value: string }[]; steps: Step[] } | null
}

interface Trade {
  powers?: PowerOfReport[]
  powersTried?: { scene?: { code: { address: string; code: string }[]; steps: Step[]; sale: Step } } | null
}

const tradeOf = ({ honeypotResponse: trade }: Readonly<Record<string, unknown>>): Trade =>
  typeof trade === 'object' && trade !== null ? trade : {}

/** The report proves nothing that could be shown. */
export class NoProofError extends BaseError {
  override readonly name = 'NoProofError'

  constructor() {
    super('the report has no power with a proof', { docs: 'docs/replay.md' })
  }
}
