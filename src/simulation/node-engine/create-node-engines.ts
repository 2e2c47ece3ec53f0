import type { Chain } from '../../chains/chain.js'
import { toQuantity } from '../../hex.js'
import { type Ability, type Capabilities, RpcLacksAbilityError } from '../../rpc/capabilities.js'
import type { BlockParameter } from '../../rpc/methods.js'
import { type RpcOutcome, type RpcRequest, unwrap } from '../../rpc/request.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import type { Suspect } from '../../rpc/suspect.js'
import type { PinnedBlock } from '../../state/state-source.js'
import type { EngineName } from '../scenario.js'
import { callOnceRequest, refuseFailures } from './call-once.js'
import type { NodeAnswer, NodeQuestion } from './question.js'
import { simulateRequest } from './simulate-v1.js'

/** Lets the chain's own nodes execute what this process cannot. */
export interface NodeEngine {
  /** The method by which it executes, as reports name it. */
  readonly name: EngineName
  /** Answers questions at `block`, or rejects: with `RpcUnavailableError` when no node can. */
  answer(block: PinnedBlock, questions: readonly NodeQuestion[], run: NodeRun): Promise<Map<string, NodeAnswer>>
}

export interface NodeRun {
  /** Whose code is executed. */
  suspect: Suspect
  signal?: AbortSignal | undefined
}

export interface NodeEngineOptions {
  rpc: RpcClient
  chain: Chain
}

/** Histories that are played in one round: the branches of a round trip and of three windows. */
const MAX_PLAYS = 40

/** Questions about one history, answered together. */
interface Play {
  steps: NodeQuestion['steps']
  questions: NodeQuestion[]
}

type Answers = Map<string, NodeAnswer>

/** The ways in which a chain's nodes can execute for us, the most faithful first. */
export function createNodeEngines({ rpc, chain }: NodeEngineOptions): readonly NodeEngine[] {
  const isProvable = chain.numberSource === 'block'
  const create = (
    name: EngineName,
    needs: readonly [Ability, ...Ability[]],
    toRequest: (play: Play, block: PinnedBlock, at: BlockParameter) => RpcRequest<Answers>,
    check: (questions: readonly NodeQuestion[], answers: Answers) => void = () => {},
  ): NodeEngine => ({
    name,
    async answer(block, questions, { suspect, signal }) {
      const plays = toPlays(questions).slice(0, MAX_PLAYS)
      const found = await rpc.run<Answers[]>(
        ({ capabilities }) => {
          demand(capabilities, needs)
          const at: BlockParameter = capabilities.blockHash ? { blockHash: block.hash } : toQuantity(block.number)
          return {
            requests: plays.map((play) => toRequest(play, block, at)),
            spare: needs[0],
            read: (outcomes) => outcomes.map((outcome) => unwrap(outcome as RpcOutcome<Answers>)),
          }
        },
        { suspect, needs: needs[0], budget: rpc.createBudget(signal ? { signal } : {}) },
      )
      const answers = new Map(found.flatMap((each) => [...each]))
      check(questions, answers)
      return answers
    },
  })
  return [
    create('eth_simulateV1', ['simulate'], (play, block, at) => simulateRequest(play, block, isProvable, at)),
    create(
      'eth_call',
      ['blockOverride', 'stateOverride'],
      ({ steps, questions }, block, at) => callOnceRequest(steps, questions, chain, block, at),
      refuseFailures,
    ),
  ]
}

function demand(capabilities: Capabilities, needs: readonly Ability[]): void {
  const missing = needs.find((ability) => !capabilities[ability])
  if (missing !== undefined) throw new RpcLacksAbilityError(missing)
}

/** Questions about the same history share a play. */
function toPlays(questions: readonly NodeQuestion[]): Play[] {
  const plays = new Map<NodeQuestion['steps'], Play>()
  for (const question of questions) {
    const play = plays.get(question.steps)
    if (play === undefined) plays.set(question.steps, { steps: question.steps, questions: [question] })
    else play.questions.push(question)
  }
  return [...plays.values()]
}
