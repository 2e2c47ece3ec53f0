import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/hex.js'
import { listCompiled, type SweepStage, startSweepStage } from './sweep-stage.js'

const ORDINARY = resolve(import.meta.dirname, '../../contracts/powers/PowerToken.sol')

/** Settings that are written by the number of their slot, and numbered parts of what is held. */
const SOURCE = `${readFileSync(ORDINARY, 'utf8')}
contract AnyWord is PowerToken {
  constructor(address r) PowerToken(r) {}
  function set(bytes32 slot, bytes32 value) external onlyOwner { assembly { sstore(slot, value) } }
}
contract AnyWordBehind is PowerToken {
  constructor(address r) PowerToken(r) {}
  function set(uint256 place, uint256 value) external onlyOwner { assembly { sstore(add(place, 0x1234), value) } }
}
contract AnyWordOfList is PowerToken {
  constructor(address r) PowerToken(r) {}
  function set(bytes32[] calldata slots, bytes32[] calldata values) external onlyOwner {
    for (uint256 i; i < slots.length; i++) { (bytes32 slot, bytes32 value) = (slots[i], values[i]); assembly { sstore(slot, value) } }
  }
}
contract AnyWordOfBytes is PowerToken {
  constructor(address r) PowerToken(r) {}
  function set(bytes calldata packed) external onlyOwner {
    for (uint256 i; i + 64 <= packed.length; i += 64) { (bytes32 slot, bytes32 value) = abi.decode(packed[i:i + 64], (bytes32, bytes32)); assembly { sstore(slot, value) } }
  }
}
contract Notes is PowerToken {
  mapping(bytes32 => bytes32) public notes;
  constructor(address r) PowerToken(r) {}
  function set(bytes32 name, bytes32 value) external onlyOwner { notes[name] = value; }
}
contract Cards is PowerToken {
  uint256 public minted; mapping(uint256 => address) public ownerOf;
  constructor(address r) PowerToken(r) {}
  function _move(address from, address to, uint256 amount) internal override {
    super._move(from, to, amount);
    if (from == pair) ownerOf[minted++] = to;
    for (uint256 id = minted; to == pair && id > 0; id--) if (ownerOf[id - 1] == from) ownerOf[id - 1] = address(0);
  }
  function sendCard(address to, uint256 id) external { require(ownerOf[id] == msg.sender); ownerOf[id] = to; super._move(msg.sender, to, _held[msg.sender] / 2); }
}
`

let stage: SweepStage
let tokens: ReadonlyMap<string, Address>
beforeAll(async () => {
  stage = await startSweepStage()
  tokens = await listCompiled(stage, SOURCE)
})
afterAll(() => stage?.stop())

test.each(['AnyWord', 'AnyWordBehind', 'AnyWordOfList', 'AnyWordOfBytes'])(
  'who writes any word was shown to take what a buyer has: %s',
  async (name) => {
    const { facts } = await stage.sweep(tokens.get(name) ?? '0x')
    expect(facts.powers).toContainEqual(
      expect.objectContaining({ effect: 'burns-balance', holder: expect.objectContaining({ kind: 'account' }) }),
    )
  },
)

test('notes of other words take nothing', async () => {
  const { facts } = await stage.sweep(tokens.get('Notes') ?? '0x')
  expect(facts.powers.filter(({ lossBps }) => lossBps > 0)).toEqual([])
})

test('what a buyer can do to himself is no power over buyers', async () => {
  const { facts } = await stage.sweep(tokens.get('Cards') ?? '0x')
  expect(facts.powers.filter(({ effect }) => effect === 'burns-balance')).toEqual([])
})
