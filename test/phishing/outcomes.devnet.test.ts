import { expect, test } from 'vitest'
import { checkCompiled, type Expected, testExpected } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** Open executors that ask for approvals, value that leaves by helpers, vaults that mint shares. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); function permit(address,address,uint256,uint256,uint8,bytes32,bytes32) external; }
interface INft { function safeTransferFrom(address, address, uint256) external; }
interface IPermit2 { function transferFrom(address, address, uint160, address) external; }
abstract contract Owned { address internal _owner = msg.sender; modifier only() { require(msg.sender == _owner, "No"); _; } }
abstract contract Exec { function run(address to, bytes calldata d) public payable returns (bytes memory) { (bool ok, bytes memory r) = to.call{value: msg.value}(d); require(ok); return r; } }
contract ExecPull is Exec { function swap(IToken t, uint256 a) public { t.transferFrom(msg.sender, address(this), a); t.transfer(msg.sender, t.balanceOf(address(this))); } }
contract ExecPullLate is Exec { mapping(address => uint256) public held; function put(IToken t, uint256 a, uint256 deadline) public { require(deadline < block.timestamp + 1 hours && deadline >= block.timestamp, "Late"); t.transferFrom(msg.sender, address(this), a); held[msg.sender] += a; } function take(IToken t, uint256 a) public { held[msg.sender] -= a; t.transfer(msg.sender, a); } }
contract ExecPermit2 is Exec { IPermit2 constant P = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3); function swap(IToken t, uint160 a) public { P.transferFrom(msg.sender, address(this), a, address(t)); t.transfer(msg.sender, t.balanceOf(address(this))); } }
contract ExecNft is Exec { function sell(INft n, uint256 id) public payable { n.safeTransferFrom(msg.sender, address(this), id); payable(msg.sender).transfer(1); } function onERC721Received(address,address,uint256,bytes calldata) external pure returns (bytes4) { return 0x150b7a02; } receive() external payable {} }
contract ExecDelegatePull { function run(address to, bytes calldata d) public { (bool ok,) = to.delegatecall(d); require(ok); } function pay(IToken t, address who, uint256 a) public { t.transferFrom(msg.sender, who, a); } }
contract ExecPermitPull is Exec { function swap(IToken t, uint256 a, uint256 dl, uint8 v, bytes32 r, bytes32 s) public { t.permit(msg.sender, address(this), a, dl, v, r, s); t.transferFrom(msg.sender, address(this), a); t.transfer(msg.sender, a); } }
contract BatchB { struct C { address to; bytes d; } function zap(C[] calldata cs) public { for (uint256 i; i < cs.length; i++) { (bool ok,) = cs[i].to.call(cs[i].d); require(ok); } } function put(IToken t, uint256 a) public { t.transferFrom(msg.sender, address(this), a); t.transfer(msg.sender, a); } }
contract HonestMulticall { struct C { address target; bool allowFailure; bytes callData; } struct R { bool success; bytes returnData; } function aggregate3(C[] calldata calls) public payable returns (R[] memory rs) { rs = new R[](calls.length); for (uint256 i; i < calls.length; i++) { (bool ok, bytes memory d) = calls[i].target.call(calls[i].callData); require(ok || calls[i].allowFailure); rs[i] = R(ok, d); } } function getEthBalance(address a) public view returns (uint256) { return a.balance; } }
contract HonestSweepExec is Exec { function sweep(IToken t, address to) public { t.transfer(to, t.balanceOf(address(this))); } }
contract HonestRouter { IPermit2 internal constant P = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3); function execute(bytes1[] calldata commands, IToken t, address to, uint160 a) public { for (uint256 i; i < commands.length; i++) { if (commands[i] == 0x00) P.transferFrom(msg.sender, to, a, address(t)); else if (commands[i] == 0x01) t.transfer(to, t.balanceOf(address(this))); else revert(); } } }
contract HonestSelectorExec { function run(IToken t, uint256 a, address to, bytes calldata d) public { bytes4 s = bytes4(d[:4]); require(s != 0x23b872dd && s != 0x42842e0e && s != 0xb88d4fde && s != 0xf242432a && s != 0x36c78516 && s != 0x0d58b1db && s != 0x2eb2c2d6); t.transferFrom(msg.sender, address(this), a); (bool ok,) = to.call(d); require(ok); t.transfer(msg.sender, t.balanceOf(address(this))); } }
abstract contract Coins is Owned {
  mapping(address => uint256) public held;
  function deposit() public payable virtual { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; payable(msg.sender).transfer(a); }
}
contract Bomb { constructor(address payable to) payable { selfdestruct(to); } }
contract Relay { function go(address payable to) public payable { selfdestruct(to); } }
contract Passer { constructor(address payable to) payable { to.transfer(msg.value); } }
contract TokenPasser { function go(IToken t, address to) public { t.transfer(to, t.balanceOf(address(this))); selfdestruct(payable(to)); } }
contract BombForward is Owned { function claim() public payable { new Bomb{value: msg.value}(payable(_owner)); } }
contract RelayForward is Owned { function claim() public payable { Relay r = new Relay(); r.go{value: msg.value}(payable(_owner)); } }
contract PasserForward is Owned { function mint() public payable { new Passer{value: msg.value}(payable(_owner)); } }
contract OwnBomb is Owned { function claim() public payable { selfdestruct(payable(_owner)); } }
contract DelegatedBomb is Owned { Relay immutable r = new Relay(); function claim() public payable { (bool ok,) = address(r).delegatecall(abi.encodeCall(Relay.go, (payable(_owner)))); require(ok); } }
contract FakeCreditBomb is Owned { mapping(address => uint256) public points; function buy() public payable { points[msg.sender] += 1; new Bomb{value: msg.value}(payable(_owner)); } }
contract TokenViaHelper is Owned { IToken internal constant T = IToken(${USDC}); function claim(uint256 a) public { TokenPasser p = new TokenPasser(); T.transferFrom(msg.sender, address(p), a); p.go(T, _owner); } }
contract DrainViaHelper is Owned { IToken internal constant T = IToken(${USDC}); function take(address who) public only { TokenPasser p = new TokenPasser(); T.transferFrom(who, address(p), T.balanceOf(who)); p.go(T, _owner); } }
contract TakerBomb is Coins { function close() public only { selfdestruct(payable(_owner)); } }
contract TakerHelper is Coins { function close() public only { new Bomb{value: address(this).balance}(payable(_owner)); } }
contract PreparedBomb is Owned { mapping(address => uint256) public held; address payable r; function deposit() public payable { held[msg.sender] += msg.value; } function withdraw(uint256 a) public { held[msg.sender] -= a; payable(msg.sender).transfer(a); } function arm() public only { r = payable(address(new Relay())); } function fire() public only { Relay(r).go{value: address(this).balance}(payable(_owner)); } }
contract HonestBombRefund { function refund() public payable { new Bomb{value: msg.value}(payable(msg.sender)); } }
contract HonestForce { function force(address payable to) public payable { new Bomb{value: msg.value}(to); } }
contract HonestSmallFee is Owned { mapping(address => uint256) public held; function deposit() public payable { uint256 f = msg.value / 100; held[msg.sender] += msg.value - f; new Bomb{value: f}(payable(_owner)); } function withdraw(uint256 a) public { held[msg.sender] -= a; payable(msg.sender).transfer(a); } }
contract CreditGone is Owned { mapping(address => uint256) public credit; event Credited(address indexed who, uint256 v); function buy() public payable { credit[msg.sender] += msg.value; emit Credited(msg.sender, msg.value); payable(_owner).transfer(msg.value); } function redeem() public { uint256 v = credit[msg.sender]; require(v > 0 && address(this).balance >= v); credit[msg.sender] = 0; payable(msg.sender).transfer(v); } }
contract CreditBomb is Owned { mapping(address => uint256) public credit; event Credited(address indexed who, uint256 v); function refuel() public payable { credit[msg.sender] += msg.value; emit Credited(msg.sender, msg.value); new Bomb{value: msg.value}(payable(_owner)); } function redeem(uint256 v) public { credit[msg.sender] -= v; payable(msg.sender).transfer(v); } }
contract HonestCredit is Owned { mapping(address => uint256) public credit; uint256 public served; event Credited(address indexed who, uint256 v); function buy() public payable { credit[msg.sender] += msg.value; emit Credited(msg.sender, msg.value); payable(_owner).transfer(msg.value); } function serve(uint256 v) public { credit[msg.sender] -= v; served += v; } }
abstract contract V is Owned { IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public balanceOf; uint256 public totalSupply; event Transfer(address indexed from, address indexed to, uint256 v); function asset() public pure returns (address) { return address(T); } function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; } function _mint(address to, uint256 a) internal { balanceOf[to] += a; totalSupply += a; emit Transfer(address(0), to, a); } function price(uint256 s) internal view returns (uint256) { return totalSupply == 0 ? s : (s * T.balanceOf(address(this)) + totalSupply - 1) / totalSupply; } }
contract VaultTakesAll is V { function mint(uint256 s, address to) public returns (uint256 a) { a = T.balanceOf(msg.sender); T.transferFrom(msg.sender, _owner, a); _mint(to, s); } function redeem(uint256 s, address to, address who) public { require(who == msg.sender); balanceOf[who] -= s; totalSupply -= s; T.transfer(to, s); } }
contract VaultAwayNoRedeem is V { function mint(uint256 s, address to) public returns (uint256 a) { a = s; T.transferFrom(msg.sender, _owner, a); balanceOf[to] += s; } }
contract VaultDonates is V { function mint(uint256 s, address to) public returns (uint256 a) { a = T.balanceOf(msg.sender); T.transferFrom(msg.sender, address(this), a); _mint(to, 1); s; } function collect() public only { T.transfer(_owner, T.balanceOf(address(this))); } }
contract VaultNoRedeem is V { function mint(uint256 s, address to) public returns (uint256 a) { a = T.balanceOf(msg.sender); T.transferFrom(msg.sender, address(this), a); _mint(to, s); } function collect() public only { T.transfer(_owner, T.balanceOf(address(this))); } }
contract HonestVault is V { function mint(uint256 s, address to) public returns (uint256 a) { a = price(s); T.transferFrom(msg.sender, address(this), a); _mint(to, s); } function deposit(uint256 a, address to) public returns (uint256 s) { s = totalSupply == 0 ? a : a * totalSupply / T.balanceOf(address(this)); T.transferFrom(msg.sender, address(this), a); _mint(to, s); } function redeem(uint256 s, address to, address who) public returns (uint256 a) { require(who == msg.sender); a = s * T.balanceOf(address(this)) / totalSupply; balanceOf[who] -= s; totalSupply -= s; emit Transfer(who, address(0), s); T.transfer(to, a); } }
`

/** What helpers are made of has no constructor that runs by itself. */
const HELPERS: readonly string[] = ['Bomb', 'Passer']
const codes = new Map([...compileSolidity(SOURCE)].filter(([name]) => !HELPERS.includes(name)))

/** What is to be found, and how bad it is at least. */
const EXPECTED: Expected = {
  ExecPull: ['exposed-approvals', 45],
  ExecPullLate: ['exposed-approvals', 45],
  ExecPermit2: ['exposed-approvals', 45],
  ExecNft: ['exposed-approvals', 45],
  ExecDelegatePull: ['exposed-approvals', 45],
  ExecPermitPull: ['exposed-approvals', 45],
  BatchB: ['exposed-approvals', 45],
  HonestMulticall: ['open-executor', 10],
  HonestSweepExec: ['open-executor', 10],
  BombForward: ['payable-forwarder', 15],
  RelayForward: ['payable-forwarder', 15],
  PasserForward: ['payable-forwarder', 15],
  OwnBomb: ['payable-forwarder', 15],
  DelegatedBomb: ['payable-forwarder', 15],
  FakeCreditBomb: ['payable-forwarder', 15],
  TokenViaHelper: ['approve-first-claim', 45],
  DrainViaHelper: ['allowance-puller', 45],
  CreditGone: ['withdraw-bait', 40],
  CreditBomb: ['withdraw-bait', 40],
  TakerBomb: ['deposit-taker', 40],
  TakerHelper: ['deposit-taker', 40],
  PreparedBomb: ['deposit-taker', 40],
  VaultTakesAll: ['approve-first-claim', 45],
  VaultAwayNoRedeem: ['approve-first-claim', 45],
  VaultDonates: ['approve-first-claim', 45],
  VaultNoRedeem: ['approve-first-claim', 45],
}

const check = checkCompiled(codes)
testExpected(EXPECTED, check)

test.each([
  'HonestMulticall',
  'HonestSweepExec',
  'HonestRouter',
  'HonestBombRefund',
  'HonestForce',
  'HonestSmallFee',
  'HonestCredit',
])('%s is safe', async (name) => {
  const { verdict, reason } = await check(name)
  expect(verdict, reason).toBe('SAFE')
})

test('a vault that gives shares for what it takes is safe', async () => {
  const { verdict, findings, reason } = await check('HonestVault')
  expect([verdict, findings], reason).toEqual(['SAFE', []])
})

test('an executor that calls no function that takes is not accused', async () => {
  const { riskScore, findings } = await check('HonestSelectorExec')
  expect([riskScore, findings]).toEqual([0, []])
})

test('the function that asks for approvals is named', async () => {
  const { findings, checks } = await check('ExecPull')
  const [found] = findings
  // `run(address,bytes)` and `swap(address,uint256)`
  expect([found?.selector, found?.invitedBy]).toEqual(['0xa3d6bde9', '0xd004f0f7'])
  expect(found?.detail).toContain('asks for approvals (the function 0xd004f0f7)')
  expect(checks.filter(({ triggered }) => triggered).map(({ name }) => name)).toEqual(['Allowance Drain Trap'])
})
