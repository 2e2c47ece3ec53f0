import { checkCompiled, type Expected, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/**
 * Contracts that hold what many have paid in, where others with money of their own come out with
 * more than they brought; each with a twin in which they do not, or only by the rules that all have
 * agreed to.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
interface INft { function transferFrom(address, address, uint256) external; function ownerOf(uint256) external view returns (address); }
abstract contract Owned {
  address payable internal _owner = payable(msg.sender);
  IToken internal constant T = IToken(${USDC});
  modifier only() virtual { require(msg.sender == _owner, "No"); _; }
}

abstract contract Stakes is Owned {
  mapping(address => uint256) public staked; mapping(address => uint256) internal _paid; uint256 public total; uint256 internal _each; uint256 internal _rate; uint256 internal _end; uint256 internal _last;
  modifier settle(address who) { uint256 until = block.timestamp < _end ? block.timestamp : _end; if (total > 0 && until > _last) _each += (until - _last) * _rate * 1e18 / total; _last = until; uint256 due = staked[who] * (_each - _paid[who]) / 1e18; _paid[who] = _each; if (due > 0) T.transfer(who, due); _; }
  function stake(uint256 a) public settle(msg.sender) { staked[msg.sender] += a; total += a; T.transferFrom(msg.sender, address(this), a); }
  function leave(uint256 a) public settle(msg.sender) { staked[msg.sender] -= a; total -= a; T.transfer(msg.sender, a); }
  function claim() public settle(msg.sender) {}
  function announce(uint256 a) public only settle(address(0)) { _bring(a); _rate = a / 7 days; _last = block.timestamp; _end = block.timestamp + 7 days; }
  function _bring(uint256 a) internal virtual;
}
contract HonestRewards is Stakes { function _bring(uint256 a) internal override { T.transferFrom(msg.sender, address(this), a); } }
contract RewardsOfStakes is Stakes { function _bring(uint256 a) internal view override { require(T.balanceOf(address(this)) >= a, "Nothing there"); } }

abstract contract Roles is Stakes {
  mapping(bytes32 => mapping(address => bool)) internal _roles; bytes32 internal constant REWARDER = keccak256("REWARDER");
  function grantRole(bytes32 role, address who) public { require(msg.sender == _owner, "No admin"); _roles[role][who] = true; }
  modifier only() override { require(_roles[REWARDER][msg.sender], "No role"); _; }
}
contract HonestRewardsByRole is Roles { function _bring(uint256 a) internal override { T.transferFrom(msg.sender, address(this), a); } }
contract RewardsByRole is Roles { function _bring(uint256 a) internal view override { require(T.balanceOf(address(this)) >= a, "Nothing there"); } }

abstract contract Vault is Owned {
  mapping(address => uint256) public shares; uint256 public all; uint256 public assets;
  function deposit(uint256 a) public { uint256 s = all == 0 ? a * 1000 : a * all / assets; shares[msg.sender] += s; all += s; assets += a; T.transferFrom(msg.sender, address(this), a); }
  function redeem(uint256 s) public { uint256 a = s * assets / all; shares[msg.sender] -= s; all -= s; assets -= a; T.transfer(msg.sender, a); }
  function report(uint256 gain) public only { _count(gain); uint256 s = gain / 10 * all / assets; shares[_owner] += s; all += s; }
  function _count(uint256 gain) internal virtual;
}
contract HonestReport is Vault { function _count(uint256 gain) internal override { assets += gain; T.transferFrom(msg.sender, address(this), gain); } }
contract ReportOfNothing is Vault { function _count(uint256) internal override {} }

abstract contract Presale is Owned {
  mapping(address => uint256) public bought; uint256 public sold; uint256 internal _next = block.timestamp + 30 days;
  function buy() public payable { bought[msg.sender] += msg.value * 4000; sold += msg.value * 4000; }
  function refund(uint256 a) public { bought[msg.sender] -= a; sold -= a; payable(msg.sender).transfer(a / 4000); }
  function allot() public payable only { require(block.timestamp >= _next, "Early"); _next = block.timestamp + 30 days; uint256 a = sold / 2; require(msg.value >= _priceOf(a), "Price"); bought[_owner] += a; sold += a; }
  function _priceOf(uint256 a) internal pure virtual returns (uint256);
}
contract HonestAllotment is Presale { function _priceOf(uint256 a) internal pure override returns (uint256) { return a / 4000 + 1; } }
contract FreeAllotment is Presale { function _priceOf(uint256) internal pure override returns (uint256) { return 0; } }

abstract contract Swaps {
  struct Lock { address payable from; uint256 amount; uint256 until; } mapping(bytes32 => Lock) public locks;
  function lock(address to, bytes32 hash, uint64 until) public payable { require(msg.value > 0 && until >= block.timestamp + 30 minutes && until <= block.timestamp + 30 days, "Terms"); Lock storage l = locks[_id(to, hash)]; l.from = payable(msg.sender); l.amount += msg.value; l.until = until; }
  function back(bytes32 id) public { Lock storage l = locks[id]; require(l.amount > 0 && block.timestamp >= l.until, "Early"); uint256 a = l.amount; l.amount = 0; l.from.transfer(a); }
  function _id(address to, bytes32 hash) internal view virtual returns (bytes32);
}
contract HonestSwaps is Swaps { function _id(address to, bytes32 hash) internal view override returns (bytes32) { return keccak256(abi.encode(msg.sender, to, hash)); } }
contract SwapsTakenOver is Swaps { function _id(address to, bytes32 hash) internal pure override returns (bytes32) { return keccak256(abi.encode(to, hash)); } }

abstract contract Outcomes is Owned {
  mapping(address => mapping(uint256 => uint256)) public held; uint256 public count;
  function open() public { count += 1; }
  function split(uint256 id, uint256 a) public { require(id < count, "None"); held[msg.sender][2 * id] += a; held[msg.sender][2 * id + 1] += a; T.transferFrom(msg.sender, address(this), a); }
  function merge(uint256 x, uint256 y, uint256 a) public { _check(x, y); uint256 left = held[msg.sender][x] - a; uint256 right = held[msg.sender][y] - a; held[msg.sender][x] = left; held[msg.sender][y] = right; T.transfer(msg.sender, a); }
  function _check(uint256 x, uint256 y) internal pure virtual;
}
contract HonestOutcomes is Outcomes { function _check(uint256 x, uint256 y) internal pure override { require(x / 2 == y / 2 && x != y, "Not a pair"); } }
contract OutcomesTwice is Outcomes { function _check(uint256 x, uint256 y) internal pure override { require(x / 2 == y / 2, "Not a pair"); } }

abstract contract Streams is Owned {
  struct Stream { address from; address to; uint256 amount; uint256 start; uint256 stop; uint256 out; } Stream[] public streams;
  function open(address to, uint128 amount, uint64 start, uint64 stop) public { require(stop > start && start >= block.timestamp && amount > 0, "Terms"); streams.push(Stream(msg.sender, to, amount, start, stop, 0)); T.transferFrom(msg.sender, address(this), amount); }
  function due(uint256 id) public view returns (uint256 a) { Stream storage s = streams[id]; a = s.amount * _passed(s.start, s.stop) / (s.stop - s.start) - s.out; }
  function draw(uint256 id) public { Stream storage s = streams[id]; require(msg.sender == s.to, "No"); uint256 a = due(id); uint256 most = T.balanceOf(address(this)); if (a > most) a = most; s.out += a; T.transfer(s.to, a); }
  function cancel(uint256 id) public { Stream storage s = streams[id]; require(msg.sender == s.from && s.amount > s.out, "No"); uint256 a = s.amount - s.out; s.out = s.amount; T.transfer(s.from, a); }
  function _passed(uint256 start, uint256 stop) internal view virtual returns (uint256);
}
contract HonestStreams is Streams { function _passed(uint256 start, uint256 stop) internal view override returns (uint256) { return block.timestamp <= start ? 0 : block.timestamp >= stop ? stop - start : block.timestamp - start; } }
contract StreamsBeforeTime is Streams { function _passed(uint256 start, uint256 stop) internal view override returns (uint256) { unchecked { return block.timestamp > stop ? stop - start : uint64(block.timestamp - start); } } }

abstract contract Auctions {
  struct Sale { address seller; INft nft; uint256 id; uint256 first; uint256 floor; uint256 start; uint256 time; } mapping(uint256 => Sale) public sales; uint256 public count; mapping(address => uint256) public proceeds;
  function offer(INft nft, uint256 id, uint128 first, uint128 floor, uint64 time) public { require(floor > 0 && first > 2 * uint256(floor) && time >= 1 hours && time <= 30 days, "Terms"); sales[++count] = Sale(msg.sender, nft, id, first, floor, block.timestamp, time); nft.transferFrom(msg.sender, address(this), id); }
  function buy(uint256 n) public payable { Sale memory s = sales[n]; require(s.seller != address(0), "None"); uint256 drop = (s.first - s.floor) * (block.timestamp - s.start) / s.time; uint256 price = _price(s, drop); require(msg.value >= price, "Price"); delete sales[n]; proceeds[s.seller] += msg.value; s.nft.transferFrom(address(this), msg.sender, s.id); }
  function cancel(uint256 n) public { Sale memory s = sales[n]; require(msg.sender == s.seller, "No"); delete sales[n]; s.nft.transferFrom(address(this), s.seller, s.id); }
  function withdraw() public { uint256 a = proceeds[msg.sender]; proceeds[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function _price(Sale memory s, uint256 drop) internal pure virtual returns (uint256);
}
contract HonestAuctions is Auctions { function _price(Sale memory s, uint256 drop) internal pure override returns (uint256) { return drop >= s.first - s.floor ? s.floor : s.first - drop; } }
contract AuctionsToNothing is Auctions { function _price(Sale memory s, uint256 drop) internal pure override returns (uint256) { return drop >= s.first ? 0 : s.first - drop; } }

abstract contract Lockers {
  struct Kept { address who; uint256 until; } mapping(INft => mapping(uint256 => Kept)) public kept;
  function keep(INft nft, uint256 id, uint64 until) public { nft.transferFrom(msg.sender, address(this), id); _note(msg.sender, nft, id, until); }
  function onERC721Received(address, address from, uint256 id, bytes calldata data) public returns (bytes4) { (INft nft, uint64 until) = abi.decode(data, (INft, uint64)); require(nft.ownerOf(id) == address(this), "Not here"); _note(from, nft, id, until); return this.onERC721Received.selector; }
  function release(INft nft, uint256 id) public { Kept memory k = kept[nft][id]; require(k.who == msg.sender && block.timestamp >= k.until, "Not yet"); delete kept[nft][id]; nft.transferFrom(address(this), k.who, id); }
  function _note(address who, INft nft, uint256 id, uint256 until) internal virtual;
}
contract HonestLockers is Lockers { function _note(address who, INft nft, uint256 id, uint256 until) internal override { require(kept[nft][id].who == address(0), "Taken"); kept[nft][id] = Kept(who, until); } }
contract LockersOverwritten is Lockers { function _note(address who, INft nft, uint256 id, uint256 until) internal override { kept[nft][id] = Kept(who, until); } }

abstract contract Operators {
  mapping(address => uint256) public feeOf; mapping(address => bool) public isOperator; mapping(address => mapping(address => uint256)) public left; mapping(address => mapping(address => uint256)) public agreed; mapping(address => mapping(address => uint256)) public asked; mapping(address => uint256) public earned;
  function serve(uint16 fee) public { require(fee <= 10000, "Fee"); isOperator[msg.sender] = true; feeOf[msg.sender] = fee; }
  function entrust(address operator) public payable { require(isOperator[operator] && feeOf[operator] <= 1000 && left[msg.sender][operator] == 0, "No operator"); left[msg.sender][operator] = msg.value; agreed[msg.sender][operator] = feeOf[operator]; }
  function ask(address operator) public { asked[msg.sender][operator] = block.timestamp; }
  function finish(address operator) public { uint256 since = asked[msg.sender][operator]; require(since > 0 && block.timestamp >= since + 7 days, "Early"); uint256 a = left[msg.sender][operator]; left[msg.sender][operator] = 0; uint256 fee = a * _fee(msg.sender, operator) / 10000; earned[operator] += fee; payable(msg.sender).transfer(a - fee); }
  function collect() public { uint256 a = earned[msg.sender]; earned[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function _fee(address who, address operator) internal view virtual returns (uint256);
}
contract HonestOperators is Operators { function _fee(address who, address operator) internal view override returns (uint256) { return agreed[who][operator]; } }
contract OperatorsOfToday is Operators { function _fee(address, address operator) internal view override returns (uint256) { return feeOf[operator]; } }

abstract contract Merchants is Owned {
  struct Plan { address merchant; uint96 price; uint32 period; } Plan[] public plans; mapping(uint256 => mapping(address => uint256)) public dueAt; mapping(uint256 => mapping(address => uint256)) public priceOf;
  function open(uint96 price, uint32 period) public { require(period >= 1 days, "Period"); plans.push(Plan(msg.sender, price, period)); }
  function reprice(uint256 id, uint96 price) public { require(plans[id].merchant == msg.sender, "No"); plans[id].price = price; }
  function join(uint256 id, uint96 most) public { require(plans[id].price <= most && dueAt[id][msg.sender] == 0, "Terms"); dueAt[id][msg.sender] = block.timestamp; priceOf[id][msg.sender] = plans[id].price; charge(id, msg.sender); }
  function stop(uint256 id) public { dueAt[id][msg.sender] = 0; }
  function charge(uint256 id, address who) public { uint256 due = dueAt[id][who]; require(due > 0 && block.timestamp >= due, "Early"); dueAt[id][who] = block.timestamp + plans[id].period; require(T.transferFrom(who, plans[id].merchant, _price(id, who))); }
  function _price(uint256 id, address who) internal view virtual returns (uint256);
}
contract HonestMerchants is Merchants { function _price(uint256 id, address who) internal view override returns (uint256) { return priceOf[id][who]; } }
contract MerchantsOfToday is Merchants { function _price(uint256 id, address) internal view override returns (uint256) { return plans[id].price; } }

abstract contract Promises is Owned {
  event Transfer(address indexed from, address indexed to, uint256 amount); mapping(address => uint256) public held; uint256 public fee;
  function setFee(uint16 f) public only { require(f <= _most(), "Fee"); fee = f; }
  function deposit() public payable { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public { held[msg.sender] -= a; uint256 f = a * fee / 10000; emit Transfer(address(0), msg.sender, f); payable(msg.sender).transfer(a - f); }
  function _most() internal pure virtual returns (uint256);
}
contract HonestPromises is Promises { function _most() internal pure override returns (uint256) { return 500; } }
contract FeeForPromises is Promises { function _most() internal pure override returns (uint256) { return 10000; } }

contract HonestRaffle {
  address[] internal _in; mapping(address => uint256) public stakes; uint256 internal immutable _end = block.timestamp + 7 days;
  function enter() public payable { require(msg.value > 0 && stakes[msg.sender] == 0 && block.timestamp < _end, "No"); stakes[msg.sender] = msg.value; _in.push(msg.sender); }
  function leave() public { require(block.timestamp < _end, "Over"); uint256 a = stakes[msg.sender]; stakes[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function draw() public { require(block.timestamp >= _end && _in.length > 0, "Early"); address to = _in[uint256(keccak256(abi.encode(block.prevrandao, block.timestamp))) % _in.length]; payable(to).transfer(address(this).balance); }
}
contract HonestCurve {
  mapping(address => uint256) public held; uint256 public supply; uint256 internal constant FIRST = 10 ether; uint256 internal constant TOKENS = 1e27;
  function buy(uint256 least) public payable { uint256 before = address(this).balance - msg.value + FIRST; uint256 out = (TOKENS - supply) * msg.value / (before + msg.value); require(out > 0 && out >= least / 1e9, "Least"); held[msg.sender] += out; supply += out; }
  function sell(uint256 a) public { uint256 left = TOKENS - supply; uint256 out = (address(this).balance + FIRST) * a / (left + a); held[msg.sender] -= a; supply -= a; payable(msg.sender).transfer(out); }
}
contract HonestPool is Owned {
  mapping(address => uint256) public shares; uint256 public all; uint256 public coins; uint256 public tokens;
  function add(uint256 a) public payable { require(msg.value > 0 && a > 0, "Both"); uint256 s = all == 0 ? msg.value : _lesser(msg.value * all / coins, a * all / tokens); shares[msg.sender] += s; all += s; coins += msg.value; tokens += a; T.transferFrom(msg.sender, address(this), a); }
  function remove(uint256 s) public { uint256 c = s * coins / all; uint256 t = s * tokens / all; shares[msg.sender] -= s; all -= s; coins -= c; tokens -= t; T.transfer(msg.sender, t); payable(msg.sender).transfer(c); }
  function _lesser(uint256 x, uint256 y) internal pure returns (uint256) { return x < y ? x : y; }
  function swap() public payable { uint256 out = tokens * msg.value / (coins + msg.value) * 997 / 1000; coins += msg.value; tokens -= out; T.transfer(msg.sender, out); }
}
abstract contract Units is Owned {
  uint256 internal constant STEP = 2e12; bool public isPaused; uint256 public all; mapping(address => uint256) public unitsOf;
  function pause(bool on) public only { isPaused = on; }
  function costOf(uint256 low, uint256 high) public pure returns (uint256) { return STEP / 2 * (high * high - low * low); }
  function buy(uint256 units) public payable { require(!isPaused && units > 0 && units < 1e12, "No"); uint256 cost = costOf(all, all + units); require(msg.value >= cost, "Price"); all += units; unitsOf[msg.sender] += units; payable(msg.sender).transfer(msg.value - cost); }
  function sell(uint256 units, uint256 least) public { uint256 a = costOf(all - units, all); require(a >= least, "Price"); unitsOf[msg.sender] -= units; all -= units; payable(msg.sender).transfer(a); }
  function move(address to, uint256 units) public virtual;
}
contract HonestUnits is Units { function move(address to, uint256 units) public override { unitsOf[msg.sender] -= units; unitsOf[to] += units; } }
contract UnitsOfOneself is Units { function move(address to, uint256 units) public override { uint256 own = unitsOf[msg.sender]; uint256 other = unitsOf[to]; require(own >= units, "Few"); unitsOf[msg.sender] = own - units; unitsOf[to] = other + units; } }

abstract contract Terms is Owned {
  mapping(address => uint256) public staked; mapping(address => uint256) internal _paid; mapping(address => uint256) public due; uint256 public total; uint256 internal _each; uint256 internal _rate; uint256 internal _end; uint256 internal _last;
  function transferOwnership(address payable to) public only { _owner = to; }
  modifier settle(address who) { uint256 until = block.timestamp < _end ? block.timestamp : _end; if (total > 0 && until > _last) _each += (until - _last) * _rate * 1e18 / total; _last = until; due[who] += staked[who] * (_each - _paid[who]) / 1e18; _paid[who] = _each; _; }
  function stake(uint256 a) public settle(msg.sender) { staked[msg.sender] += a; total += a; require(T.transferFrom(msg.sender, address(this), a), "Paid"); }
  function leave(uint256 a) public settle(msg.sender) { staked[msg.sender] -= a; total -= a; T.transfer(msg.sender, a); }
  function claim() public settle(msg.sender) { uint256 a = due[msg.sender]; uint256 most = T.balanceOf(address(this)); if (a > most) a = most; due[msg.sender] -= a; T.transfer(msg.sender, a); }
  function zoom(uint256 a, uint256 length) public only settle(address(0)) { require(length >= 1 hours && length <= 365 days, "Terms"); _bring(a); _rate = a / length; require(_rate > 0, "Little"); _last = block.timestamp; _end = block.timestamp + length; }
  function _bring(uint256 a) internal virtual;
}
contract HonestTerms is Terms { function _bring(uint256 a) internal override { require(T.transferFrom(msg.sender, address(this), a), "Paid"); } }
contract TermsOfStakes is Terms { function _bring(uint256) internal override {} }
contract TermsCoveredByStakes is Terms { function _bring(uint256 a) internal override { uint256 there = T.balanceOf(address(this)); if (a > there) require(T.transferFrom(msg.sender, address(this), a - there), "Paid"); } }

abstract contract PassHolders is Owned {
  mapping(address => uint256) public held; mapping(address => uint256) public passes; uint256 public spare;
  function deposit() public payable { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public { held[msg.sender] -= a; payable(msg.sender).transfer(a); }
  function give() public payable { spare += msg.value; }
  function pass(address who) public only { passes[who] = 1; }
  function collect(uint256 a) public { require(passes[msg.sender] == 1, "No pass"); passes[msg.sender] = 0; _take(a); payable(msg.sender).transfer(a); }
  function _take(uint256 a) internal virtual;
}
contract HonestPasses is PassHolders { function _take(uint256 a) internal override { spare -= a; } }
contract PassesForOnce is PassHolders { function _take(uint256 a) internal override {} }

contract HonestBonds {
  struct Draw { address payable maker; uint256 price; uint256 bond; uint32 most; uint32 sold; uint256 end; } mapping(uint256 => Draw) public draws; mapping(uint256 => mapping(address => uint256)) public tickets; uint256 public count;
  function open(uint128 price, uint32 most, uint64 end) public payable { require(price > 0 && most > 1 && end > block.timestamp && end < block.timestamp + 60 days && msg.value >= uint256(price) * most / 10, "Terms"); draws[++count] = Draw(payable(msg.sender), price, msg.value, most, 0, end); }
  function buy(uint256 id, uint32 n) public payable { Draw storage d = draws[id]; require(block.timestamp < d.end && n > 0 && n <= d.most - d.sold && msg.value == d.price * n, "No"); d.sold += n; tickets[id][msg.sender] += n; }
  function refund(uint256 id) public { Draw storage d = draws[id]; require(d.end > 0 && block.timestamp >= d.end, "Early"); uint256 n = tickets[id][msg.sender]; require(n > 0, "None"); tickets[id][msg.sender] = 0; payable(msg.sender).transfer(n * d.price + n * d.bond / d.sold); }
  function takeBond(uint256 id) public { Draw storage d = draws[id]; require(msg.sender == d.maker && block.timestamp >= d.end && d.sold == 0 && d.bond > 0, "No"); uint256 a = d.bond; d.bond = 0; d.maker.transfer(a); }
}
`

const codes = compileSolidity(SOURCE)

/** What is to be found, and how bad it is at least. */
const EXPECTED: Expected = {
  RewardsOfStakes: ['deposit-taker', 40],
  RewardsByRole: ['deposit-taker', 40],
  ReportOfNothing: ['deposit-taker', 40],
  FreeAllotment: ['deposit-taker', 40],
  SwapsTakenOver: ['deposit-taker', 40],
  OutcomesTwice: ['deposit-taker', 40],
  StreamsBeforeTime: ['deposit-taker', 40],
  AuctionsToNothing: ['deposit-taker', 40],
  LockersOverwritten: ['deposit-taker', 40],
  OperatorsOfToday: ['late-lock', 40],
  FeeForPromises: ['late-lock', 40],
  MerchantsOfToday: ['allowance-puller', 45],
  UnitsOfOneself: ['deposit-taker', 40],
  TermsOfStakes: ['deposit-taker', 40],
  TermsCoveredByStakes: ['deposit-taker', 40],
  PassesForOnce: ['deposit-taker', 40],
}

const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)
