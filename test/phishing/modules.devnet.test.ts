import { expect, test } from 'vitest'
import { checkCompiled } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

/** Modules that anyone or their maker has empty a wallet, and those that obey the wallet. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transfer(address, uint256) external returns (bool); }
interface IWallet { function execTransactionFromModule(address, uint256, bytes calldata, uint8) external returns (bool); function execTransactionFromModuleReturnData(address, uint256, bytes calldata, uint8) external returns (bool, bytes memory); function isModuleEnabled(address) external view returns (bool); function isOwner(address) external view returns (bool); function checkSignatures(bytes32, bytes calldata, bytes calldata) external view; }
interface I7579 { function executeFromExecutor(bytes32, bytes calldata) external returns (bytes[] memory); }
abstract contract Mod { address immutable maker = msg.sender; function _send(address w, address t, address to, uint256 a) internal { require(IWallet(w).execTransactionFromModule(t, 0, abi.encodeCall(IToken.transfer, (to, a)), 0)); } }
contract OpenAll is Mod { function run(address w, address to, uint256 v, bytes calldata d) public { IWallet(w).execTransactionFromModule(to, v, d, 0); } }
contract Rescue is Mod { function rescue(address w, address t) public { require(IWallet(w).isModuleEnabled(address(this))); _send(w, t, maker, IToken(t).balanceOf(w)); } }
contract RescueCoins is Mod { function rescue(address w) public { require(IWallet(w).execTransactionFromModule(maker, w.balance, "", 0)); } }
contract PayAnyone is Mod { function pay(address t, address to, address w, uint256 a) public { (bool ok,) = IWallet(w).execTransactionFromModuleReturnData(t, 0, abi.encodeCall(IToken.transfer, (to, a)), 0); require(ok); } }
contract Packed is Mod { function pay(address w, address t, uint256 a) public { I7579(w).executeFromExecutor(bytes32(0), abi.encodePacked(t, uint256(0), abi.encodeCall(IToken.transfer, (maker, a)))); } }
contract Hand { function go(address t, address to) public { IToken(t).transfer(to, IToken(t).balanceOf(address(this))); } }
contract Delegated is Mod { address immutable hand = address(new Hand()); function tidy(address w, address t) public { require(IWallet(w).execTransactionFromModule(hand, 0, abi.encodeCall(Hand.go, (t, maker)), 1)); } }
contract Keeper is Mod { function pay(address w, address t, address to, uint256 a) public { require(msg.sender == maker); _send(w, t, to, a); } }
abstract contract Joined is Mod { mapping(address => uint256) public since; function join() public { since[msg.sender] = block.timestamp; } }
contract JoinedKeeper is Joined { function pay(address w, address t, address to, uint256 a) public { require(since[w] != 0 && msg.sender == maker); _send(w, t, to, a); } }
contract JoinedSweeper is Joined { function tidy(address w, address t) public { require(since[w] != 0); _send(w, t, maker, IToken(t).balanceOf(w)); } }
contract Installed is Mod { mapping(address => bool) public isInitialized; function onInstall(bytes calldata) public { isInitialized[msg.sender] = true; } function pay(address w, address t, uint256 a) public { require(isInitialized[w]); I7579(w).executeFromExecutor(bytes32(0), abi.encodePacked(t, uint256(0), abi.encodeCall(IToken.transfer, (maker, a)))); } }
contract HonestJoined is Joined { function pay(address w, address t, address to, uint256 a) public { require(since[w] != 0 && IWallet(w).isOwner(msg.sender)); _send(w, t, to, a); } }
contract HonestSubscription is Joined { function charge(address w, address t) public { require(since[w] != 0 && block.timestamp >= since[w]); since[w] += 30 days; _send(w, t, maker, 5e6); } }
contract HonestInstalled is Mod { mapping(address => address) public heir; function onInstall(bytes calldata d) public { heir[msg.sender] = d.length >= 32 ? abi.decode(d, (address)) : address(0); } function pay(address w, address t, uint256 a) public { require(msg.sender == heir[w]); _send(w, t, heir[w], a); } }
contract HonestLimits is Mod { mapping(address => mapping(address => mapping(address => uint256))) public left; function allow(address who, address t, uint256 a) public { left[msg.sender][who][t] = a; } function pay(address w, address t, address to, uint256 a) public { left[w][msg.sender][t] -= a; _send(w, t, to, a); } }
contract HonestStanding is Mod { struct Order { address t; address to; uint256 a; uint256 next; } mapping(address => Order) public orders; function order(address t, address to, uint256 a) public { orders[msg.sender] = Order(t, to, a, block.timestamp); } function pay(address w) public { Order storage o = orders[w]; require(o.a > 0 && block.timestamp >= o.next); o.next += 30 days; _send(w, o.t, o.to, o.a); } }
contract HonestOwners is Mod { function pay(address w, address t, address to, uint256 a) public { require(IWallet(w).isOwner(msg.sender)); _send(w, t, to, a); } }
contract HonestSigned is Mod { mapping(address => uint256) public nonce; function pay(address w, address t, address to, uint256 a, bytes calldata s) public { bytes32 h = keccak256(abi.encode(w, t, to, a, nonce[w]++)); IWallet(w).checkSignatures(h, "", s); _send(w, t, to, a); } }
contract HonestDelay is Mod { mapping(address => mapping(bytes32 => uint256)) public at; function queue(bytes32 h) public { at[msg.sender][h] = block.timestamp + 2 days; } function run(address w, address to, bytes calldata d) public { uint256 due = at[w][keccak256(abi.encode(to, d))]; require(due != 0 && block.timestamp > due); IWallet(w).execTransactionFromModule(to, 0, d, 0); } }
contract HonestConsolidator is Mod { function home(address w, address t) public { _send(w, t, w, IToken(t).balanceOf(w)); } }
`

const codes = new Map([...compileSolidity(SOURCE)].filter(([name]) => name !== 'Hand'))

const check = checkCompiled(codes)

test.each(['OpenAll', 'Rescue', 'RescueCoins', 'PayAnyone', 'Packed', 'Delegated', 'JoinedSweeper', 'Installed'])(
  '%s: any address empties a wallet that enables it',
  async (name) => {
    const { verdict, findings, reason } = await check(name)
    expect(
      findings.map(({ id }) => id),
      reason,
    ).toContain('module-taker')
    expect(verdict).toBe('CRITICAL')
  },
)

test.each(['Keeper', 'JoinedKeeper'])('%s: its maker takes from a wallet that enables it', async (name) => {
  const { verdict, findings } = await check(name)
  expect(findings.map(({ id }) => id)).toContain('module-master')
  expect(verdict).toBe('HIGH_RISK')
})

const HONEST = [...codes.keys()].filter((name) => name.startsWith('Honest'))

test.each(HONEST)('%s takes nothing that the wallet did not order', async (name) => {
  const { findings, reason } = await check(name)
  expect(
    findings.filter(({ id }) => id.startsWith('module-')),
    reason,
  ).toEqual([])
})
