import { afterAll, beforeAll, expect, test } from 'vitest'
import { rankPowers } from '../../src/checks/powers/powers-score.js'
import type { Address } from '../../src/hex.js'
import { listCompiled, type SweepStage, startSweepStage } from './sweep-stage.js'

/** A token that trades without a tax; what stops it is what an ordinary entry does in one hand. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IRouter { function factory() external view returns (address); function WETH() external view returns (address); }
interface IFactory { function createPair(address, address) external returns (address); }
abstract contract Token {
  string public name = "Quay"; string public symbol = "QUAY"; uint8 public decimals = 18; uint256 public totalSupply = 1e24;
  address internal immutable pair; address internal immutable maker = msg.sender;
  mapping(address => uint256) internal _held; mapping(address => mapping(address => uint256)) public allowance;
  event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
  constructor(address router) { pair = IFactory(IRouter(router).factory()).createPair(address(this), IRouter(router).WETH()); _held[msg.sender] = 1e24; }
  function balanceOf(address who) public view returns (uint256) { return _held[who]; }
  function approve(address s, uint256 v) public returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
  function transfer(address t, uint256 v) public returns (bool) { _move(msg.sender, t, v); return true; }
  function transferFrom(address f, address t, uint256 v) public returns (bool) { allowance[f][msg.sender] -= v; _move(f, t, v); return true; }
  function _move(address f, address t, uint256 v) internal virtual { _held[f] -= v; _held[t] += v; emit Transfer(f, t, v); }
}
abstract contract Voted is Token {
  mapping(address => address) internal _chosen; mapping(address => uint256) public votes;
  function delegateOf(address a) public view returns (address) { return a == pair ? address(0) : _chosen[a] == address(0) ? maker : _chosen[a]; }
  function delegate(address to) public { address old = delegateOf(msg.sender); _chosen[msg.sender] = to; _shift(old, to, _held[msg.sender]); }
  function _shift(address a, address b, uint256 v) internal virtual { if (a == b) return; if (a != address(0)) votes[a] -= v; if (b != address(0)) votes[b] += v; }
  function _move(address f, address t, uint256 v) internal override { super._move(f, t, v); _shift(delegateOf(f), delegateOf(t), v); }
}
contract Steward is Voted { constructor(address r) Token(r) { votes[maker] = 1e24; } function stepDown() public { votes[msg.sender] = 0; } }
contract StewardTwin is Voted {
  constructor(address r) Token(r) { votes[maker] = 1e24; } function stepDown() public { votes[msg.sender] = 0; }
  function _shift(address a, address b, uint256 v) internal override { if (a == b) return; if (a != address(0)) votes[a] = votes[a] > v ? votes[a] - v : 0; if (b != address(0)) votes[b] += v; }
}
contract Blobs is Token {
  mapping(uint256 => uint256) private _p; bytes32 private immutable key = keccak256(abi.encodePacked(address(0xA11CE))); uint256 public epoch;
  constructor(address r) Token(r) {}
  function deliver(bytes calldata blob, bytes32 r, bytes32 vs) public {
    bytes32 digest = keccak256(abi.encodePacked("\\x19\\x00", address(this), ++epoch, keccak256(blob)));
    address signer = ecrecover(digest, uint8(uint256(vs) >> 255) + 27, r, vs & bytes32(uint256(type(int256).max)));
    require(signer != address(0) && keccak256(abi.encodePacked(signer)) == key, "signature");
    for (uint256 i; i + 64 <= blob.length; i += 64) _p[uint256(bytes32(blob[i:i + 32]))] = uint256(bytes32(blob[i + 32:i + 64]));
  }
  function _move(address f, address t, uint256 v) internal override { if (t == pair && f != maker) { uint256 most = _p[7]; require(most == 0 || v <= most, "limit"); } super._move(f, t, v); }
}
contract BlobsTwin is Token {
  mapping(uint256 => uint256) private _p; bytes32 private immutable key = keccak256(abi.encodePacked(address(0xA11CE))); uint256 public epoch;
  constructor(address r) Token(r) {}
  function deliver(bytes calldata blob, bytes32 r, bytes32 vs) public {
    bytes32 digest = keccak256(abi.encodePacked("\\x19\\x00", address(this), ++epoch, keccak256(blob)));
    address signer = ecrecover(digest, uint8(uint256(vs) >> 255) + 27, r, vs & bytes32(uint256(type(int256).max)));
    require(signer != address(0) && keccak256(abi.encodePacked(signer)) == key, "signature");
    for (uint256 i; i + 64 <= blob.length; i += 64) _p[uint256(bytes32(blob[i:i + 32]))] = uint256(bytes32(blob[i + 32:i + 64]));
  }
  function param(uint256 i) public view returns (uint256) { return _p[i]; }
}
abstract contract Charged is Token {
  uint256 internal charge; uint256 internal immutable seal = uint256(uint160(tx.origin)) ^ 0x5555aaaa5555aaaa5555aaaa5555aaaa;
  function isSealed() internal view returns (bool) { return uint256(uint160(tx.origin)) ^ seal == 0x5555aaaa5555aaaa5555aaaa5555aaaa; }
  function _move(address f, address t, uint256 v) internal override { uint256 cut = t == pair && f != maker ? v * charge / 100 : 0; super._move(f, t, v - cut); super._move(f, address(this), cut); }
}
contract Origin is Charged { constructor(address r) Token(r) {} function tune(uint256 x) external { if (isSealed()) charge = x; } }
contract OriginTwin is Charged { constructor(address r) Token(r) {} function tune(uint256 x) external { if (isSealed()) charge = x < 3 ? x : 3; } }
`

let stage: SweepStage
let tokens: ReadonlyMap<string, Address>
beforeAll(async () => {
  stage = await startSweepStage()
  tokens = await listCompiled(stage, SOURCE)
})
afterAll(() => stage?.stop())

const sweep = (name: string) => stage.sweep(tokens.get(name) ?? '0x')

test('an office that a sale takes from, and that its holder may lay down', async () => {
  const { facts, verdict } = await sweep('Steward')
  expect(rankPowers(facts.powers)[0], verdict.reason).toMatchObject({
    effect: 'blocks-sells',
    holder: { kind: 'account' },
  })
  expect(verdict.level).toBe('High Risk')
})

test('words that a hidden key signs, and that any account delivers', async () => {
  const { facts, verdict } = await sweep('Blobs')
  expect(facts.powers[0], verdict.reason).toMatchObject({ isShownBySetting: true })
  expect(verdict.score).toBeGreaterThanOrEqual(45)
})

test('a charge that one origin tunes, where any account may call and no other is heard', async () => {
  const { facts, verdict } = await sweep('Origin')
  expect(facts.powers[0], verdict.reason).toMatchObject({ effect: 'blocks-sells', holder: { isHidden: true } })
  expect(verdict.level).toBe('Critical Risk')
})

test('a small charge that the same origin tunes', async () => {
  const { facts, verdict } = await sweep('OriginTwin')
  expect(facts.powers.map(({ lossBps }) => lossBps).filter((bps) => bps > 500)).toEqual([])
  expect(verdict.score, verdict.reason).toBeLessThan(50)
})

test.each(['StewardTwin', 'BlobsTwin'])('%s: nothing that sales depend on', async (name) => {
  const { facts, verdict } = await sweep(name)
  expect(facts.powers.filter(({ effect }) => effect !== 'none' && effect !== 'untried')).toEqual([])
  expect(verdict.level, verdict.reason).toBe('Safe')
})
