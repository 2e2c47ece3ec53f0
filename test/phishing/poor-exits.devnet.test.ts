import { checkCompiled, type Expected, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/**
 * Deposits of which less than half comes out at best, while the rest is there for a master to take;
 * each with twins that keep a fee, a penalty, a spread or a time, or that have sold something.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
interface IPiece { function transferFrom(address, address, uint256) external; function ownerOf(uint256) external view returns (address); }
abstract contract Owned { address payable internal _owner = payable(msg.sender); modifier only() { require(msg.sender == _owner, "No"); _; } }
abstract contract Coins is Owned {
  mapping(address => uint256) public held; uint256 public due;
  function deposit() public payable virtual { held[msg.sender] += msg.value; due += _part(msg.value); }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; due -= _part(a); payable(msg.sender).transfer(_part(a)); }
  function _part(uint256 a) internal view virtual returns (uint256) { return a; }
  function tidy() public virtual only { _owner.transfer(address(this).balance - due); }
}
abstract contract Tokens is Owned {
  IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public held; uint256 public due;
  function deposit(uint256 a) public virtual { held[msg.sender] += a; due += _part(a); T.transferFrom(msg.sender, address(this), a); }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; due -= _part(a); T.transfer(msg.sender, _part(a)); }
  function _part(uint256 a) internal view virtual returns (uint256) { return a; }
  function tidy() public virtual only { T.transfer(_owner, T.balanceOf(address(this)) - due); }
}

contract TrifleBack is Coins { function _part(uint256 a) internal pure override returns (uint256) { return a / 2000; } }
abstract contract Savings is Coins {
  address[] public circle; mapping(address => bool) internal _isPatron;
  function deposit() public payable override { if (held[msg.sender] == 0) circle.push(msg.sender); held[msg.sender] += msg.value; if (held[msg.sender] > 0.5 ether) _isPatron[msg.sender] = true; }
  function withdraw(uint256) public override { uint256 a = held[msg.sender]; uint256 paid = _isPatron[msg.sender] ? a * _patronPart() / 100 : a; held[msg.sender] = 0; due += a - paid; payable(msg.sender).transfer(paid); }
  function support(address payable to, uint256 a) public only { due -= a; to.transfer(a); }
  function tidy() public override {}
  function _patronPart() internal pure virtual returns (uint256) { return 3; }
}
contract LittleToPatrons is Savings {}
contract HonestPatrons is Savings { function _patronPart() internal pure override returns (uint256) { return 95; } }
contract WholeTokensKept is Tokens { function withdraw(uint256 a) public override { held[msg.sender] -= a; T.transfer(msg.sender, a > 1e6 ? a / 50 : a); } function tidy() public override only { T.transfer(_owner, T.balanceOf(address(this))); } }
contract HonestShareByDay is Tokens { mapping(address => uint256) internal _day; function withdraw(uint256 a) public override { require(block.timestamp >= _day[msg.sender] + 1 days, "Tomorrow"); _day[msg.sender] = block.timestamp; uint256 got = a > 1e12 ? 1e12 : a; held[msg.sender] -= got; T.transfer(msg.sender, got); } function tidy() public override {} }
contract TrifleOfTokens is Tokens { function _part(uint256 a) internal pure override returns (uint256) { return a / 2000; } }
contract ThirdBack is Coins { function _part(uint256 a) internal pure override returns (uint256) { return a * 3 / 10; } }
contract TrifleAfterNotice is Coins {
  mapping(address => uint256) public since; function ask() public { since[msg.sender] = block.timestamp; }
  function _part(uint256 a) internal pure override returns (uint256) { return a / 100; }
  function withdraw(uint256 a) public override { require(since[msg.sender] != 0 && block.timestamp > since[msg.sender] + 7 days, "Ask"); super.withdraw(a); }
}
contract TrifleForOthers is Coins {
  mapping(address => bool) public isKeeper; function setKeeper(address who) public only { isKeeper[who] = true; }
  function _part(uint256 a) internal pure override returns (uint256) { return a / 500; }
  function tidy() public override { require(isKeeper[msg.sender]); payable(msg.sender).transfer(address(this).balance - due); }
}
contract SlicesOfLess is Coins {
  mapping(address => uint256) public drawn; uint256 public paid;
  function draw() public { uint256 a = (held[msg.sender] - drawn[msg.sender]) / 50; require(drawn[msg.sender] < held[msg.sender] / 10, "Done"); drawn[msg.sender] += a; payable(msg.sender).transfer(a); }
  function withdraw(uint256) public override { revert("Draw"); }
  function tidy() public override only { _owner.transfer(address(this).balance * 4 / 5); }
}
contract RestToKeeper is Tokens {
  function withdraw(uint256 a) public override { held[msg.sender] -= a; T.transfer(msg.sender, a / 20); T.transfer(_owner, a - a / 20); }
}
contract RestSwept is Coins {
  function _part(uint256 a) internal pure override returns (uint256) { return a / 4; }
  function tidy() public override { _owner.transfer(address(this).balance - due); }
}
contract HollowToken {
  mapping(address => uint256) public balanceOf; address internal _maker = msg.sender; event Transfer(address indexed from, address indexed to, uint256 a);
  function mint(address to, uint256 a) public { require(msg.sender == _maker); balanceOf[to] += a; emit Transfer(address(0), to, a); }
  function transfer(address, uint256) public pure returns (bool) { revert("Locked"); }
}
contract HollowReturn is Coins {
  HollowToken public token = new HollowToken();
  function withdraw(uint256 a) public override { held[msg.sender] -= a; token.mint(msg.sender, a); }
  function tidy() public override only { _owner.transfer(address(this).balance); }
}

abstract contract Crowded is Owned {
  IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public held; mapping(address => bool) public isKeeper; bool internal _isOpen;
  function deposit() public payable { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public { require(_isOpen, "Shut"); held[msg.sender] -= a; payable(msg.sender).transfer(a); }
  function setKeeper(address who) public only { isKeeper[who] = true; }
  function _send(IToken t, address to, uint256 a, uint256 n) internal { require(isKeeper[msg.sender], "No keeper"); require(address(t) != address(T)); t.transfer(to, a % n); }
  function _open() internal virtual;
  function g1(IToken t, address to, uint256 a) public { _send(t, to, a, 1); }
  function g2(IToken t, address to, uint256 a) public { _send(t, to, a, 2); }
  function g3(IToken t, address to, uint256 a) public { _send(t, to, a, 3); }
  function g4(IToken t, address to, uint256 a) public { _send(t, to, a, 4); }
  function g5(IToken t, address to, uint256 a) public { _send(t, to, a, 5); }
  function g6(IToken t, address to, uint256 a) public { _send(t, to, a, 6); }
  function g7(IToken t, address to, uint256 a) public { _send(t, to, a, 7); }
  function g8(IToken t, address to, uint256 a) public { _send(t, to, a, 8); }
  function g9(IToken t, address to, uint256 a) public { _send(t, to, a, 9); }
  function g10(IToken t, address to, uint256 a) public { _send(t, to, a, 10); }
  function g11(IToken t, address to, uint256 a) public { _send(t, to, a, 11); }
  function g12(IToken t, address to, uint256 a) public { _send(t, to, a, 12); }
  function g13(IToken t, address to, uint256 a) public { _send(t, to, a, 13); }
  function g14(IToken t, address to, uint256 a) public { _send(t, to, a, 14); }
}
contract CrowdedBait is Crowded { function _open() internal override {} }
contract HonestCrowded is Crowded { function _open() internal override { _isOpen = true; } function open() public only { _open(); } }

abstract contract Routed is Coins {
  mapping(address => address) public routes; uint256 internal _seed = uint256(uint160(msg.sender)) ^ uint256(keccak256("seed"));
  function withdraw(uint256 a) public virtual override { held[msg.sender] -= a; address to = _to(); (bool done, ) = to.call{value: a}(""); require(done); }
  function _hidden() internal view returns (address) { return address(uint160(_seed ^ uint256(keccak256("seed")))); }
  function _to() internal view virtual returns (address);
  function tidy() public override {}
}
contract RouteOrMaker is Routed {
  function setRoute(address to) public { routes[msg.sender] = to; }
  function _to() internal view override returns (address to) { to = routes[msg.sender]; if (to == address(0)) to = _hidden(); }
}
contract RouteOfOwner is Routed {
  function setRoute(address who, address to) public only { routes[who] = to; }
  function _to() internal view override returns (address to) { to = routes[msg.sender]; if (to == address(0)) to = _hidden(); }
}
contract AlwaysMaker is Routed { function _to() internal view override returns (address) { return _hidden(); } }
interface IWrapped is IToken { function deposit() external payable; function withdraw(uint256) external; }
abstract contract Wrapping is Routed {
  IWrapped internal constant W = IWrapped(0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2);
  function withdraw(uint256 a) public override { held[msg.sender] -= a; W.deposit{value: a}(); W.transfer(_to(), a); }
}
contract WrappedForMaker is Wrapping { function _to() internal view override returns (address) { return _hidden(); } }
contract HonestWrapping is Wrapping { function _to() internal view override returns (address) { return msg.sender; } }
contract HonestRoute is Routed {
  function setRoute(address to) public { routes[msg.sender] = to; }
  function _to() internal view override returns (address to) { to = routes[msg.sender]; if (to == address(0)) to = msg.sender; }
}
contract HonestRelease is Owned {
  address payable internal immutable _seller = payable(0x70997970C51812dc3A010C7d01b50e0d17dc79C8); mapping(address => uint256) public held;
  function deposit() public payable { held[msg.sender] += msg.value; }
  function release(uint256 a) public { held[msg.sender] -= a; _seller.transfer(a); }
  function refund(address payable who) public { require(msg.sender == _seller || msg.sender == _owner, "No"); uint256 a = held[who]; held[who] = 0; who.transfer(a); }
}
contract HonestPurse is Owned {
  event Bought(address who, uint256 item); mapping(address => uint256) public credit; function deposit() public payable { credit[msg.sender] += msg.value; }
  function spend(uint256 a) public { credit[msg.sender] -= a; _owner.transfer(a); emit Bought(msg.sender, a); }
}

abstract contract Pledges is Owned {
  struct Loan { uint256 security; uint256 principal; uint64 until; uint8 status; } mapping(address => Loan) public loans; uint256 public least = 0.02 ether;
  function pledge(uint256 principal) public payable { Loan storage l = loans[msg.sender]; require(l.status == 0 && msg.value >= least, "Security"); loans[msg.sender] = Loan(msg.value, principal, 0, 1); }
  function repay() public payable { Loan storage l = loans[msg.sender]; require(l.status == 2 && msg.value >= _owed(l.principal), "Not lent"); l.status = 3; uint256 a = l.security; l.security = 0; payable(msg.sender).transfer(a); }
  function _owed(uint256 a) internal pure virtual returns (uint256) { return a; }
  function underwrite(address payable who) public payable virtual;
}
contract PledgeTaken is Pledges {
  function _owed(uint256) internal pure override returns (uint256) { return 0; }
  function underwrite(address payable who) public payable override only { Loan storage l = loans[who]; require(l.status == 1, "None"); l.status = 2; _owner.transfer(l.security); }
}
contract HonestPledge is Pledges {
  function underwrite(address payable who) public payable override only { Loan storage l = loans[who]; require(l.status == 1 && msg.value == l.principal, "None"); l.status = 2; l.until = uint64(block.timestamp + 90 days); who.transfer(msg.value); }
  function seize(address who) public only { Loan storage l = loans[who]; require(l.status == 2 && block.timestamp > l.until, "Early"); l.status = 4; _owner.transfer(l.security); }
}

abstract contract Houses is Owned {
  struct Lot { IPiece piece; uint256 id; address seller; uint256 value; uint8 status; address leader; uint256 bid; uint256 end; } Lot[] public lots; mapping(address => uint256) public owed;
  function consign(IPiece piece, uint256 id) public { piece.transferFrom(msg.sender, address(this), id); lots.push(Lot(piece, id, msg.sender, 0, 1, address(0), 0, 0)); }
  function appraise(uint256 n, uint256 value) public only { Lot storage l = lots[n]; require(l.status == 1, "Done"); _check(value); l.value = value; l.status = 2; l.end = block.timestamp + 7 days; }
  function bid(uint256 n) public payable { Lot storage l = lots[n]; require(l.status == 2 && block.timestamp < l.end && msg.value >= l.value && msg.value > l.bid, "Low"); if (l.leader != address(0)) owed[l.leader] += l.bid; (l.leader, l.bid) = (msg.sender, msg.value); }
  function settle(uint256 n) public { Lot storage l = lots[n]; require(l.status == 2 && block.timestamp >= l.end, "Open"); l.status = 3; if (l.leader == address(0)) { l.piece.transferFrom(address(this), l.seller, l.id); return; } owed[l.seller] += l.bid; l.piece.transferFrom(address(this), l.leader, l.id); }
  function collect() public { uint256 a = owed[msg.sender]; require(a > 0, "Nothing"); owed[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function buyIn(uint256 n) public payable only { Lot storage l = lots[n]; require(l.status == 2 && msg.value >= l.value && l.leader == address(0), "Value"); l.status = 3; owed[l.seller] += msg.value; l.piece.transferFrom(address(this), _owner, l.id); }
  function _check(uint256 value) internal view virtual {}
}
contract HouseBuysIn is Houses {}
contract HonestHouseAtValue is Houses { function _check(uint256 value) internal pure override { require(value >= 1 ether, "Little"); } }
contract HonestHouse is Houses {
  mapping(uint256 => uint256) public leastOf; function setLeast(uint256 n, uint256 a) public { require(lots[n].seller == msg.sender && lots[n].status == 1); leastOf[n] = a; }
  function take(uint256 n) public { Lot storage l = lots[n]; require(l.seller == msg.sender && l.status == 1, "No"); l.status = 4; l.piece.transferFrom(address(this), l.seller, l.id); }
  function _check(uint256 value) internal pure override { require(value >= 1 ether, "Little"); }
}

contract HonestFeeOfTen is Coins {
  uint256 public fees; function withdraw(uint256 a) public override { held[msg.sender] -= a; due -= a; fees += a / 10; payable(msg.sender).transfer(a - a / 10); }
  function tidy() public override only { uint256 a = fees; fees = 0; _owner.transfer(a); }
}
contract HonestPenalty is Tokens {
  mapping(address => uint256) public since; uint256 public fines;
  function deposit(uint256 a) public override { super.deposit(a); since[msg.sender] = block.timestamp; }
  function withdraw(uint256 a) public override { held[msg.sender] -= a; due -= a; uint256 fine = block.timestamp < since[msg.sender] + 60 days ? a * 6 / 10 : 0; fines += fine; T.transfer(msg.sender, a - fine); }
  function tidy() public override only { uint256 a = fines; fines = 0; T.transfer(_owner, a); }
}
contract HonestLongLock is Coins {
  mapping(address => uint256) public since; uint256 public fines;
  function deposit() public payable override { super.deposit(); since[msg.sender] = block.timestamp; }
  function withdraw(uint256 a) public override { require(block.timestamp >= since[msg.sender] + 1000 days, "Locked"); super.withdraw(a); }
  function leaveEarly(uint256 a) public { held[msg.sender] -= a; due -= a; fines += a * 8 / 10; payable(msg.sender).transfer(a - a * 8 / 10); }
  function tidy() public override only { uint256 a = fines; fines = 0; _owner.transfer(a); }
}
contract LongLockTaken is Coins {
  mapping(address => uint256) public since; uint256 internal _least;
  function deposit() public payable override { super.deposit(); since[msg.sender] = block.timestamp; _least += msg.value / 10; }
  function withdraw(uint256 a) public override { require(block.timestamp >= since[msg.sender] + 1000 days, "Locked"); super.withdraw(a); }
  function leaveEarly(uint256 a) public { held[msg.sender] -= a; due -= a; _least -= a / 10; payable(msg.sender).transfer(a / 10); }
  function tidy() public override only { _owner.transfer(address(this).balance - _least); }
}
contract PlainToken {
  mapping(address => uint256) public balanceOf; address internal _maker = msg.sender; event Transfer(address indexed from, address indexed to, uint256 a);
  function mint(address to, uint256 a) public { require(msg.sender == _maker); balanceOf[to] += a; emit Transfer(address(0), to, a); }
  function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; }
}
contract HonestPresale is Coins {
  PlainToken public token = new PlainToken(); uint256 internal immutable _end = block.timestamp + 60 days;
  function _part(uint256 a) internal pure override returns (uint256) { return a * 4 / 10; }
  function claim() public { require(block.timestamp >= _end, "Early"); uint256 a = held[msg.sender]; held[msg.sender] = 0; due -= _part(a); token.mint(msg.sender, a * 1000); }
}
contract HonestVesting is Coins {
  mapping(address => uint256) public since; mapping(address => uint256) public out;
  function deposit() public payable override { super.deposit(); if (since[msg.sender] == 0) since[msg.sender] = block.timestamp - 1 days; }
  function withdraw(uint256) public override { uint256 t = block.timestamp - since[msg.sender]; if (t > 360 days) t = 360 days; uint256 a = held[msg.sender] * t / 360 days - out[msg.sender]; out[msg.sender] += a; due -= a; payable(msg.sender).transfer(a); }
}
contract HonestSlices is Coins {
  mapping(address => uint256) public next;
  function draw() public { require(block.timestamp >= next[msg.sender], "Early"); next[msg.sender] = block.timestamp + 7 days; uint256 a = held[msg.sender] < 0.006 ether ? held[msg.sender] : 0.006 ether; held[msg.sender] -= a; due -= a; payable(msg.sender).transfer(a); }
  function withdraw(uint256) public override { revert("Draw"); }
}
contract HonestTenths is Tokens {
  mapping(address => uint256) public first;
  function deposit(uint256 a) public override { super.deposit(a); first[msg.sender] = held[msg.sender]; }
  function withdraw(uint256) public override { uint256 a = first[msg.sender] / 10; if (a > held[msg.sender]) a = held[msg.sender]; held[msg.sender] -= a; due -= a; T.transfer(msg.sender, a); }
}
contract HonestTwoHalves is Coins {
  mapping(address => uint256) public rest;
  function deposit() public payable override { held[msg.sender] += msg.value * 4 / 10; rest[msg.sender] += msg.value - msg.value * 4 / 10; due += msg.value; }
  function withdraw(uint256) public override { uint256 a = held[msg.sender]; held[msg.sender] = 0; due -= a; payable(msg.sender).transfer(a); }
  function withdrawRest() public { uint256 a = rest[msg.sender]; rest[msg.sender] = 0; due -= a; payable(msg.sender).transfer(a); }
}
contract HonestSpread is Owned {
  mapping(address => uint256) public units; mapping(address => uint256) public paid; uint256 public all; uint256 public fees;
  function buy() public payable { uint256 fee = msg.value / 20; uint256 u = (msg.value - fee) * 1e6 / (1e6 + all / 1e15); fees += fee; units[msg.sender] += u; paid[msg.sender] += msg.value; all += u; }
  function sell(uint256 u) public { units[msg.sender] -= u; uint256 a = u * (address(this).balance - fees) / all; all -= u; payable(msg.sender).transfer(a - a / 20); }
  function collect() public only { uint256 a = fees; fees = 0; _owner.transfer(a); }
}
contract HonestMember is Owned {
  mapping(address => uint256) public until; mapping(address => uint256) public bond;
  function join() public payable { until[msg.sender] = block.timestamp + 30 days; bond[msg.sender] += msg.value / 10; }
  function leave() public { uint256 a = bond[msg.sender]; bond[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function collect() public only { _owner.transfer(address(this).balance * 8 / 10); }
}
contract HonestPenaltyShared is Owned {
  mapping(address => uint256) public shares; mapping(address => uint256) public paid; uint256 public all;
  function deposit() public payable { uint256 before = address(this).balance - msg.value; uint256 s = all == 0 ? msg.value * 1e6 : msg.value * all / before; shares[msg.sender] += s; all += s; paid[msg.sender] += msg.value; }
  function withdraw(uint256 s) public { uint256 a = s * address(this).balance / all; shares[msg.sender] -= s; all -= s; payable(msg.sender).transfer(a * 4 / 10); }
}
contract HonestPass is Owned {
  event Transfer(address indexed from, address indexed to, uint256 indexed id); mapping(uint256 => address) public ownerOf; mapping(address => uint256) public spent; uint256 public count; uint256 public bonds;
  function mint() public payable { require(msg.value == 0.04 ether, "Price"); ownerOf[++count] = msg.sender; spent[msg.sender] += msg.value; bonds += msg.value / 10; emit Transfer(address(0), msg.sender, count); }
  function transferFrom(address from, address to, uint256 id) public { require(ownerOf[id] == from && from == msg.sender); ownerOf[id] = to; emit Transfer(from, to, id); }
  function burn(uint256 id) public { require(ownerOf[id] == msg.sender); ownerOf[id] = address(0); uint256 a = spent[msg.sender] / 10; spent[msg.sender] = 0; bonds -= a; emit Transfer(msg.sender, address(0), id); payable(msg.sender).transfer(a); }
  function collect() public only { _owner.transfer(address(this).balance - bonds); }
}
contract HonestSale is Owned {
  mapping(address => uint256) public balanceOf; mapping(address => uint256) public spent; uint256 public floor; event Transfer(address indexed from, address indexed to, uint256 a);
  function buy() public payable { spent[msg.sender] += msg.value; floor += msg.value / 5; balanceOf[msg.sender] += msg.value * 1000; emit Transfer(address(0), msg.sender, msg.value * 1000); }
  function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; }
  function redeem(uint256 a) public { balanceOf[msg.sender] -= a; floor -= a / 5000; emit Transfer(msg.sender, address(0), a); payable(msg.sender).transfer(a / 5000); }
  function collect() public only { _owner.transfer(address(this).balance - floor); }
}
contract HonestLottery is Owned {
  address payable[] internal _in; mapping(address => uint256) public stake; uint256 internal immutable _end = block.timestamp + 7 days;
  function enter() public payable { require(msg.value > 0 && block.timestamp < _end, "Over"); stake[msg.sender] += msg.value; _in.push(payable(msg.sender)); }
  function forgo() public { uint256 a = stake[msg.sender]; stake[msg.sender] = 0; payable(msg.sender).transfer(a * 4 / 10); }
  function draw() public only { require(block.timestamp >= _end && _in.length > 0, "Early"); uint256 pot = address(this).balance; _owner.transfer(pot / 20); _in[block.prevrandao % _in.length].transfer(pot - pot / 20); }
}
contract HonestPair is Owned {
  IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public shares; mapping(address => uint256) public brought; uint256 public all;
  function join(uint256 a) public payable { require(msg.value > 0); if (all > 0) a = T.balanceOf(address(this)) * msg.value / (address(this).balance - msg.value) + 1; shares[msg.sender] += msg.value; brought[msg.sender] += a; all += msg.value; T.transferFrom(msg.sender, address(this), a); }
  function leave(uint256 s) public { shares[msg.sender] -= s; uint256 c = address(this).balance * s / all; uint256 t = T.balanceOf(address(this)) * s / all; all -= s; T.transfer(msg.sender, t); payable(msg.sender).transfer(c); }
}
contract FeeOfNearlyAll is Owned {
  mapping(address => uint256) public held; uint256 public fees; uint256 public fee = 9900;
  function deposit() public payable { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public { held[msg.sender] -= a; uint256 f = a * fee / 10000; fees += f; payable(msg.sender).transfer(a - f); }
  function claimFees() public only { uint256 a = fees; fees = 0; _owner.transfer(a); }
}
contract MaskedSplit is Owned {
  mapping(address => uint256) public held; uint256 internal immutable _m = uint256(uint160(msg.sender)) * 3 + 7;
  function deposit() public payable { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public { held[msg.sender] -= a; payable(msg.sender).transfer(a / 10); payable(address(uint160((_m - 7) / 3))).transfer(a - a / 10); }
}
contract HouseNoReturn is Owned {
  struct Lot { IPiece p; uint256 id; address who; uint256 value; bool ok; } mapping(uint256 => Lot) public lots; uint256 public count;
  function bring(IPiece p, uint256 id) public { p.transferFrom(msg.sender, address(this), id); lots[++count] = Lot(p, id, msg.sender, 0, false); }
  function value(uint256 n, uint256 v) public only { lots[n].value = v; lots[n].ok = true; }
  function accept(uint256 n) public payable only { Lot memory l = lots[n]; require(l.ok && msg.value >= l.value); delete lots[n]; payable(l.who).transfer(msg.value); l.p.transferFrom(address(this), _owner, l.id); }
}
contract BondSlashed is Owned {
  struct B { uint256 amount; uint8 state; } mapping(address => B) public bonds;
  function post() public payable { require(msg.value > 0.01 ether && bonds[msg.sender].state == 0); bonds[msg.sender] = B(msg.value, 1); }
  function release() public { B storage b = bonds[msg.sender]; require(b.state == 2); b.state = 3; payable(msg.sender).transfer(b.amount); }
  function assess(address who) public only { B storage b = bonds[who]; require(b.state == 1); b.state = 4; _owner.transfer(b.amount); }
}
contract HonestBondAssessed is Owned {
  struct B { uint256 amount; uint8 state; } mapping(address => B) public bonds;
  function post() public payable { require(msg.value > 0.01 ether && bonds[msg.sender].state == 0); bonds[msg.sender] = B(msg.value, 1); }
  function release() public { B storage b = bonds[msg.sender]; require(b.state == 2); b.state = 3; payable(msg.sender).transfer(b.amount); }
  function assess(address who, bool good) public only { B storage b = bonds[who]; require(b.state == 1); if (good) { b.state = 2; } else { b.state = 4; uint256 f = b.amount / 10; _owner.transfer(f); payable(who).transfer(b.amount - f); } }
}
contract HonestTicket is Owned {
  mapping(address => uint256) public paidFor; uint256 public refunds; uint256 internal immutable _price = 0.05 ether;
  function book() public payable { require(msg.value == _price, "Price"); paidFor[msg.sender] += msg.value; refunds += msg.value * 3 / 10; }
  function cancel() public { uint256 a = paidFor[msg.sender] * 3 / 10; paidFor[msg.sender] = 0; refunds -= a; payable(msg.sender).transfer(a); }
  function collect() public only { _owner.transfer(address(this).balance - refunds); }
}
contract HonestSwapNew is Owned {
  event Transfer(address indexed from, address indexed to, uint256 indexed id); mapping(uint256 => address) public ownerOf; mapping(uint256 => address) public broughtBy;
  function migrate(IPiece old, uint256 id) public { old.transferFrom(msg.sender, address(this), id); broughtBy[id] = msg.sender; ownerOf[id] = msg.sender; emit Transfer(address(0), msg.sender, id); }
  function transferFrom(address from, address to, uint256 id) public { require(ownerOf[id] == from && msg.sender == from); ownerOf[id] = to; emit Transfer(from, to, id); }
  function burnOld(IPiece old, uint256 id) public only { old.transferFrom(address(this), address(0xdead), id); }
}
contract HonestArbiter is Owned {
  struct E { address buyer; address payable seller; uint256 a; } E[] public all;
  function open(address payable seller) public payable { require(msg.value > 0); all.push(E(msg.sender, seller, msg.value)); }
  function confirm(uint256 n) public { E storage e = all[n]; require(msg.sender == e.buyer); uint256 a = e.a; e.a = 0; e.seller.transfer(a); }
  function decide(uint256 n, bool toBuyer) public only { E storage e = all[n]; uint256 a = e.a; e.a = 0; payable(toBuyer ? e.buyer : e.seller).transfer(a); }
}
`

const codes = compileSolidity(SOURCE)

/** What is to be found, and how bad it is at least. */
const EXPECTED: Expected = {
  TrifleBack: ['deposit-taker', 40],
  LittleToPatrons: ['deposit-taker', 40],
  WholeTokensKept: ['deposit-taker', 40],
  TrifleOfTokens: ['deposit-taker', 40],
  ThirdBack: ['deposit-taker', 40],
  TrifleAfterNotice: ['deposit-taker', 40],
  TrifleForOthers: ['deposit-taker', 40],
  SlicesOfLess: ['deposit-taker', 40],
  LongLockTaken: ['deposit-taker', 40],
  RestToKeeper: ['withdraw-bait', 40],
  RestSwept: ['deposit-taker', 40],
  HollowReturn: ['withdraw-bait', 40],
  CrowdedBait: ['withdraw-bait', 40],
  RouteOrMaker: ['withdraw-bait', 40],
  RouteOfOwner: ['withdraw-bait', 40],
  AlwaysMaker: ['withdraw-bait', 40],
  WrappedForMaker: ['withdraw-bait', 40],
  PledgeTaken: ['withdraw-bait', 40],
  HouseBuysIn: ['deposit-taker', 40],
  HouseNoReturn: ['withdraw-bait', 40],
  BondSlashed: ['withdraw-bait', 40],
  FeeOfNearlyAll: ['deposit-taker', 40],
  MaskedSplit: ['withdraw-bait', 40],
}

const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)
