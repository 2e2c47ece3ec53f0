import { callData } from '../../dex/read-contract.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import { portionOf } from './assets.js'
import { framesOf } from './leads.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Stage } from './phishing-stage.js'
import { asExecutor } from './shaped-calls.js'
import { type By, tryCall } from './try-call.js'

/** `transferFrom(address,address,uint256)` */
const TRANSFER_FROM: Hex = '0x23b872dd'

/** Bytes before the address, of the value behind it, and of the length before the data. */
const KINDS = [0, 1]
const VALUE_WIDTHS = [0, 12, 16, 32]
const LENGTH_WIDTHS = [0, 2, 4, 32]

/**
 * Tries a fallback that makes packed calls: where to, with how many coins, and which data, one
 * behind the other, as batches of wallets and the contracts of drainers have them. No call with
 * marks shows such code, because the length and the value in it have to be right. Whether it did
 * harm.
 */
export function tryPackedCalls(stage: Stage, caller: Address, by: By): boolean {
  const { victim, thief, findings } = stage
  const [holding] = victim.holdings
  if (holding === undefined) return false
  const pull = callData(TRANSFER_FROM, [victim.address, thief, portionOf(holding)]).slice(2)
  const before = findings.length
  for (const data of layouts(holding.token, pull)) {
    const entry = { selector: undefined, template: { leaves: [], encode: () => data } }
    if (!tryCall(stage, { entry, marks: [], caller, by }).isHarmful) continue
    const found = findings.splice(before)
    findings.push(...found.map((finding) => (isExecuted(finding, `0x${pull}`) ? asExecutor(finding, by) : finding)))
    return true
  }
  return false
}

function* layouts(to: Address, data: string): Generator<Hex> {
  const length = BigInt(data.length / 2)
  for (const kind of KINDS) {
    for (const value of VALUE_WIDTHS) {
      for (const width of LENGTH_WIDTHS) {
        const size = width === 0 ? '' : toPaddedHex(length, width).slice(2)
        yield `0x${'00'.repeat(kind)}${to.slice(2)}${'00'.repeat(value)}${size}${data}`
      }
    }
  }
}

/** Whether the very call went out; else the fallback takes by rules of its own. */
const isExecuted = ({ trace }: PhishingFinding, input: Hex) =>
  trace !== undefined && framesOf(trace).some((frame) => frame.input === input)
