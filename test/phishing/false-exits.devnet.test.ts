import { checkCompiled, type Expected, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/**
 * Ways out that bring nothing, exchanges of which most is kept, and plans that take all for a
 * trifle; each with twins that pay, or that are a shop, a queue, a lock for good.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function allowance(address, address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
abstract contract Owned { address payable internal _owner = payable(msg.sender); IToken internal constant T = IToken(${USDC}); modifier only() { require(msg.sender == _owner, "No"); _; } }
abstract contract Coins is Owned {
  mapping(address => uint256) public held;
  function deposit() public payable virtual { held[msg.sender] += msg.value; }
}

contract ClearsTheBook is Coins {
  function withdraw(uint256 a) public { held[msg.sender] -= a; }
  function tidy() public only { _owner.transfer(address(this).balance); }
}
contract PaysTheDesk is Coins { function withdraw(uint256 a) public { held[msg.sender] -= a; _owner.transfer(a); } }
contract HonestShop is Coins {
  event Ordered(address indexed who, uint256 amount, bytes32 order);
  function order(uint256 a, bytes32 id) public { held[msg.sender] -= a; emit Ordered(msg.sender, a, id); _owner.transfer(a); }
}
contract HonestGame is Coins {
  mapping(address => uint256) public rounds;
  function playRound(uint256 a) public { held[msg.sender] -= a; rounds[msg.sender] += 1; }
  function collect() public only { _owner.transfer(address(this).balance); }
}

contract Payees {
  address payable public desk; mapping(address => bool) public isKnown; constructor(address payable d) { desk = d; }
  function know(address who, bool yes) public { require(msg.sender == desk, "No"); isKnown[who] = yes; }
  function routeOf(address who) public view returns (address payable) { return isKnown[who] ? payable(who) : desk; }
}
abstract contract Queue is Coins {
  struct Ask { address to; uint128 amount; uint64 since; bool isPaid; } Ask[] public asks; uint256 public head;
  function requestWithdrawal(uint128 a, address to) public { held[msg.sender] -= a; asks.push(Ask(to, a, uint64(block.timestamp), false)); }
  function process(uint256 most) public virtual { for (; most > 0 && head < asks.length; most--) { Ask storage q = asks[head]; if (block.timestamp < q.since + 1 hours) break; q.isPaid = true; head++; _pay(q.to, q.amount); } }
  function _pay(address to, uint256 a) internal virtual { payable(to).transfer(a); }
}
contract QueueToTheDesk is Queue { function _pay(address, uint256 a) internal override { _owner.transfer(a); } }
contract QueueByForeignBook is Queue { Payees public book = new Payees(payable(msg.sender)); function _pay(address to, uint256 a) internal override { book.routeOf(to).transfer(a); } }
contract HonestQueue is Queue {}
contract HonestQueueByKeeper is Queue {
  address internal _keeper = 0x00000000000000000000000000000000DeaDBeef; function setKeeper(address k) public only { _keeper = k; }
  function process(uint256 most) public override { require(msg.sender == _keeper, "Keeper"); super.process(most); }
}

contract QueueRobbed is Queue { function process(uint256 most) public override only { super.process(most); } function _pay(address, uint256 a) internal override { _owner.transfer(a); } }
contract HonestQueueThenCollect is Queue { mapping(address => uint256) public ready; function _pay(address to, uint256 a) internal override { ready[to] += a; } function collect() public { uint256 a = ready[msg.sender]; ready[msg.sender] = 0; payable(msg.sender).transfer(a); } }
contract HonestQueueOneByOneFunded is Queue { constructor() payable { asks.push(Ask(address(0xB0B0B0), 1 ether, uint64(block.timestamp), false)); } function process(uint256) public override only { super.process(1); } }
contract HonestQueueByMaster is Queue { function process(uint256 most) public override only { super.process(most); } }

contract NewCoin {
  mapping(address => uint256) public balanceOf; event Transfer(address indexed from, address indexed to, uint256 a);
  constructor(address to, uint256 a) { balanceOf[to] = a; emit Transfer(address(0), to, a); }
  function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; }
}
abstract contract Migration is Owned {
  NewCoin public next = new NewCoin(_holder(), 1e30); mapping(address => uint256) public owed; uint256 internal immutable _opened = block.timestamp;
  function migrate(uint256 a) public { T.transferFrom(msg.sender, address(this), a); owed[msg.sender] += a + a * 3 / 100; }
  function claim() public virtual { require(block.timestamp > _opened + 20 days, "Soon"); uint256 a = owed[msg.sender]; require(a > 0, "None"); owed[msg.sender] = 0; uint256 has = next.balanceOf(address(this)); next.transfer(msg.sender, a < has ? a : has); }
  function retire() public { T.transfer(_owner, T.balanceOf(address(this))); }
  function _holder() internal view virtual returns (address);
}
contract ClaimWithoutWord is Migration { function _holder() internal view override returns (address) { return _owner; } function claim() public override { require(block.timestamp > _opened + 20 days, "Soon"); require(owed[msg.sender] > 0, "None"); owed[msg.sender] = 0; } }
contract ClaimOfNothing is Migration { function _holder() internal view override returns (address) { return _owner; } }
contract HonestMigration is Migration { function _holder() internal view override returns (address) { return address(this); } }

abstract contract Bonds is Owned {
  struct Bond { address holder; uint128 principal; uint128 payout; uint64 due; bool isDone; } Bond[] public bonds; uint256 public dollarsOwed;
  function bond(uint128 a) public { T.transferFrom(msg.sender, address(this), a); bonds.push(Bond(msg.sender, a, a + a / 20, uint64(block.timestamp + 5 days), false)); dollarsOwed += _isOwed() ? a : 0; }
  function redeem(uint256 id) public virtual { Bond storage b = bonds[id]; require(msg.sender == b.holder && block.timestamp > b.due && !b.isDone, "Not now"); b.isDone = true; if (_isOwed()) { dollarsOwed -= b.principal; T.transfer(b.holder, b.principal); } }
  function takeSurplus() public only { T.transfer(_owner, T.balanceOf(address(this)) - dollarsOwed); }
  function _isOwed() internal pure virtual returns (bool) { return false; }
}
contract BondsForNothing is Bonds {}
contract BondsForDust is Bonds { function redeem(uint256 id) public override { uint256 a = bonds[id].principal; super.redeem(id); T.transfer(msg.sender, a / 10000); } }
contract HonestBonds is Bonds { function _isOwed() internal pure override returns (bool) { return true; } }
contract NotesByNumber is Owned {
  mapping(uint256 => address) public ownerOf; mapping(uint256 => uint256) public amountOf; uint256 public issued; uint256 public total;
  function lend(uint256 a) public { T.transferFrom(msg.sender, address(this), a); issued++; ownerOf[issued] = msg.sender; amountOf[issued] = a; total += a; }
  function withdraw(uint256 id) public virtual { require(ownerOf[id] == msg.sender, "Not yours"); ownerOf[id] = address(0); total -= amountOf[id]; }
  function tidy() public only { T.transfer(_owner, T.balanceOf(address(this)) - total); }
}
contract HonestNotes is NotesByNumber { function withdraw(uint256 id) public override { super.withdraw(id); T.transfer(msg.sender, amountOf[id]); } }
contract HonestInvoices is Owned {
  struct Paid { address payer; uint128 amount; uint64 at; bytes32 invoice; } Paid[] public payments;
  function settle(bytes32 invoice, uint128 a) public { T.transferFrom(msg.sender, address(this), a); payments.push(Paid(msg.sender, a, uint64(block.timestamp), invoice)); }
  function withdraw(uint256 a) public only { T.transfer(_owner, a); }
}
contract HonestForGood is Owned {
  mapping(address => uint256) public locked; mapping(address => uint256) public paid; uint256 public perUnit; uint256 public total;
  function lock(uint256 a) public { claim(); T.transferFrom(msg.sender, address(this), a); locked[msg.sender] += a; total += a; paid[msg.sender] = locked[msg.sender] * perUnit / 1e18; }
  function reward(uint256 a) public { T.transferFrom(msg.sender, address(this), a); perUnit += a * 1e18 / total; }
  function claim() public { uint256 a = locked[msg.sender] * perUnit / 1e18 - paid[msg.sender]; paid[msg.sender] += a; T.transfer(msg.sender, a); }
}

abstract contract Vault is Owned {
  mapping(address => uint256) public balanceOf; uint256 public totalSupply; uint256 public reported = block.timestamp;
  function deposit() public payable { uint256 s = totalSupply == 0 ? msg.value : msg.value * totalSupply / (address(this).balance - msg.value); balanceOf[msg.sender] += s; totalSupply += s; }
  function redeem(uint256 s, address payable to) public { uint256 a = s * address(this).balance / totalSupply; balanceOf[msg.sender] -= s; totalSupply -= s; to.transfer(a); }
  function _mint(uint256 profit) internal { require(block.timestamp >= reported + 1 days, "Daily"); reported = block.timestamp; uint256 s = profit / 5 * totalSupply / (address(this).balance + 1); balanceOf[_owner] += s; totalSupply += s; }
}
contract DailyReport is Vault { function report(uint256 profit) public only { _mint(profit); } }
contract HonestReport is Vault { function report() public payable only { _mint(msg.value); } }

contract Pool {
  constructor() payable {}
  function sell(uint256 a) public returns (uint256 out) { out = a * 1e8; IToken(${USDC}).transferFrom(msg.sender, address(this), a); payable(msg.sender).transfer(out); }
}
interface IApprove { function approve(address, uint256) external returns (bool); }
abstract contract Router is Owned {
  Pool internal _pool = new Pool{value: 1 ether}(); mapping(address => uint256) public volumeOf; constructor() payable {} receive() external payable {}
  function sell(uint256 a) public { T.transferFrom(msg.sender, address(this), a); IApprove(address(T)).approve(address(_pool), a); uint256 out = _pool.sell(a); uint256 fee = out * _fee() / 100; volumeOf[msg.sender] += out; payable(msg.sender).transfer(out - fee); _owner.transfer(fee); }
  function _fee() internal pure virtual returns (uint256);
}
contract SkimsMostFunded is Router { constructor() payable {} function _fee() internal pure override returns (uint256) { return 80; } }
contract HonestRouterFunded is Router { constructor() payable {} function _fee() internal pure override returns (uint256) { return 2; } }

abstract contract Plans is Owned {
  struct Plan { uint128 part; uint64 last; } mapping(address => Plan) public plans; mapping(address => uint256) public balanceOf; uint64 public period = 7 days;
  event Transfer(address indexed from, address indexed to, uint256 a);
  function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; }
  function enrol(uint128 part) public { require(part > 0); plans[msg.sender] = Plan(part, uint64(block.timestamp)); }
  function setTerms(uint64 p) public only { require(p >= _least()); period = p; }
  function collect(address who) public only { Plan storage p = plans[who]; uint256 a = uint256(p.part) * ((block.timestamp - p.last) / period); uint256 most = T.balanceOf(who); if (a > most) a = most; p.last = uint64(block.timestamp); require(a > 0); T.transferFrom(who, _owner, a); balanceOf[who] += a; emit Transfer(address(0), who, a); }
  function _least() internal pure virtual returns (uint64);
}
contract PeriodOfASecond is Plans { function _least() internal pure override returns (uint64) { return 1; } }
contract HonestPlans is Plans { function _least() internal pure override returns (uint64) { return 7 days; } }
abstract contract Keeper is Owned {
  mapping(address => uint256) public balanceOf; event Transfer(address indexed from, address indexed to, uint256 a);
  function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; }
  function gather(address who) public only { uint256 a = T.balanceOf(who); T.transferFrom(who, _home(), a); uint256 s = _sharesFor(a); balanceOf[who] += s; emit Transfer(address(0), who, s); }
  function _home() internal view virtual returns (address); function _sharesFor(uint256 a) internal pure virtual returns (uint256) { return a; }
}
contract OneUnitForAll is Keeper { function _home() internal view override returns (address) { return _owner; } function _sharesFor(uint256) internal pure override returns (uint256) { return 1; } }
contract HonestGathering is Keeper { function _home() internal view override returns (address) { return address(this); } function redeem(uint256 s) public { balanceOf[msg.sender] -= s; T.transfer(msg.sender, s); } }
`
/** What is found in each, and how bad it is. */
const EXPECTED: Expected = {
  BondsForNothing: ['withdraw-bait', 40],
  BondsForDust: ['deposit-taker', 40],
  ClaimOfNothing: ['withdraw-bait', 40],
  ClaimWithoutWord: ['withdraw-bait', 40],
  ClearsTheBook: ['withdraw-bait', 40],
  DailyReport: ['deposit-taker', 40],
  NotesByNumber: ['withdraw-bait', 40],
  OneUnitForAll: ['allowance-puller', 45],
  PaysTheDesk: ['withdraw-bait', 40],
  PeriodOfASecond: ['allowance-puller', 45],
  QueueByForeignBook: ['withdraw-bait', 40],
  QueueRobbed: ['withdraw-bait', 40],
  QueueToTheDesk: ['withdraw-bait', 40],
  SkimsMostFunded: ['skimmed-exchange', 40],
}

/** Without what they make themselves. */
const isTried = (name: string) => name in EXPECTED || name.startsWith('Honest')
const codes = new Map([...compileSolidity(SOURCE)].filter(([name]) => isTried(name)))
const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)
