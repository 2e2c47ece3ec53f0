import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/hex.js'
import { listCompiled, type SweepStage, startSweepStage } from './sweep-stage.js'

const ORDINARY = resolve(import.meta.dirname, '../../contracts/powers/PowerToken.sol')

/** Tokens that were handed out, by what is no function, until a day that is over. */
const SOURCE = `${readFileSync(ORDINARY, 'utf8')}
contract Closed is PowerToken {
  uint256 public endsAt; constructor(address r) PowerToken(r) { endsAt = block.timestamp; }
  fallback() external { require(block.timestamp < endsAt); _issue(msg.sender, 1e24); }
}
contract Paid is PowerToken {
  uint256 public endsAt; constructor(address r) PowerToken(r) { endsAt = block.timestamp; }
  receive() external payable { require(block.timestamp < endsAt); _issue(msg.sender, msg.value * 1000); }
}
contract Constant is PowerToken {
  constructor(address r) PowerToken(r) {}
  fallback() external payable { require(block.timestamp < 1508000000); _issue(msg.sender, msg.value * 1000); }
}
contract Reopened is PowerToken {
  uint256 public endsAt; constructor(address r) PowerToken(r) { endsAt = block.timestamp; }
  function extend(uint256 to) public onlyOwner { endsAt = to; }
  fallback() external { require(block.timestamp < endsAt); _issue(msg.sender, 1e24); }
}
contract ByHash is PowerToken {
  constructor(address r) PowerToken(r) {}
  fallback() external { require(uint256(keccak256(abi.encode(block.timestamp / 1 days))) < type(uint256).max / 5000); _issue(msg.sender, 1e24); }
}
contract Cyclic is PowerToken {
  uint256 internal day; constructor(address r) PowerToken(r) { day = block.timestamp / 1 days; }
  fallback() external { require((block.timestamp / 1 days - day) % 100 == 60); _issue(msg.sender, 1e24); }
}
contract Wrapped is PowerToken {
  uint256 internal shift; constructor(address r) PowerToken(r) { unchecked { shift = 0 - (block.timestamp + 90 days); } }
  fallback() external { unchecked { require(block.timestamp + shift < 3600); } _issue(msg.sender, 1e24); }
}
contract Later is PowerToken {
  uint256 public opensAt; constructor(address r) PowerToken(r) { opensAt = block.timestamp + 30 days; }
  fallback() external { require(block.timestamp > opensAt); _issue(msg.sender, 1e24); }
}
`

let stage: SweepStage
let tokens: ReadonlyMap<string, Address>
beforeAll(async () => {
  stage = await startSweepStage()
  tokens = await listCompiled(stage, SOURCE)
})
afterAll(() => stage?.stop())

test.each(['Closed', 'Paid', 'Constant'])('a sale that is over for good leaves nothing open: %s', async (name) => {
  const { facts, verdict } = await stage.sweep(tokens.get(name) ?? '0x')
  expect([verdict.level, facts.unfinished]).toEqual(['Safe', ''])
})

test.each(['Reopened', 'ByHash', 'Cyclic', 'Wrapped', 'Later'])(
  'one that can be opened, or will open, is no such sale: %s',
  async (name) => {
    const { facts, verdict } = await stage.sweep(tokens.get(name) ?? '0x')
    expect(['Medium Risk', 'High Risk', 'Critical Risk'], facts.unfinished).toContain(verdict.level)
  },
)
