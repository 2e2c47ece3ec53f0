import { checkCompiled, type Expected, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/**
 * What victims come to by a website that gives them arguments with which a contract goes along:
 * each with a twin that keeps to what was agreed.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
abstract contract Owned {
  address payable internal _owner = payable(msg.sender);
  IToken internal constant T = IToken(${USDC});
  modifier only() { require(msg.sender == _owner, "No"); _; }
}
abstract contract Tokens is Owned {
  mapping(address => uint256) public held; uint256 internal _total;
  function deposit(uint256 a) public virtual { held[msg.sender] += a; _total += a; T.transferFrom(msg.sender, address(this), a); }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; _total -= a; T.transfer(msg.sender, a); }
}
abstract contract Coins is Owned {
  mapping(address => uint256) public held;
  function deposit() public payable virtual { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; payable(msg.sender).transfer(a); }
}

abstract contract Metered is Owned {
  struct Meter { uint256 rate; uint256 last; }
  mapping(address => Meter) public meters;
  function open(uint256 rate, uint256 months) public { require(rate > 0 && months > 0 && months <= 12, "Terms"); meters[msg.sender] = Meter(rate, block.timestamp); }
  function bill(address who) public { Meter storage m = meters[who]; uint256 a = m.rate * (block.timestamp - m.last) / 1 hours; if (a > T.balanceOf(who)) a = T.balanceOf(who); m.last = block.timestamp; require(T.transferFrom(who, _owner, a)); }
}
contract HonestRate is Metered {}
contract RateSinceEver is Metered { function reset(address who) public only { meters[who].last = 0; } }

abstract contract Seats is Owned {
  struct Plan { uint256 price; uint256 period; bool isOpen; }
  Plan[] public plans; mapping(address => uint256) public planOf; mapping(address => uint256) public paidAt;
  constructor() { plans.push(Plan(0, 0, false)); plans.push(Plan(5e6, 30 days, true)); }
  function join(uint256 id, uint256 most) public { Plan storage p = plans[id]; require(p.isOpen && p.price <= most, "Terms"); planOf[msg.sender] = id; paidAt[msg.sender] = block.timestamp; require(T.transferFrom(msg.sender, _owner, p.price)); }
  function charge(address who) public { Plan storage p = plans[planOf[who]]; require(planOf[who] != 0 && block.timestamp >= paidAt[who] + p.period, "Early"); paidAt[who] = block.timestamp; require(T.transferFrom(who, _owner, p.price)); }
}
contract HonestSeats is Seats { function close(uint256 id) public only { plans[id].isOpen = false; } }
contract SeatsAnytime is Seats { function setPeriod(uint256 id, uint256 period) public only { plans[id].period = period; } }

abstract contract Season is Owned {
  struct Meter { uint256 rate; uint256 last; uint256 end; } bool public isOff; function turn(bool off) public only { isOff = off; }
  mapping(address => Meter) public meters;
  function open(uint256 rate) public { require(rate > 0 && rate <= 1e4, "Terms"); meters[msg.sender] = Meter(rate, block.timestamp, block.timestamp + 366 days); }
  function bill(address who) public { require(!isOff, "Off"); Meter storage m = meters[who]; uint256 now_ = block.timestamp < m.end ? block.timestamp : m.end; uint256 a = m.rate * (now_ - m.last) / 1 hours; if (a > T.balanceOf(who)) a = T.balanceOf(who); m.last = now_; require(T.transferFrom(who, _owner, a)); }
}
contract HonestSeason is Season {}
contract SeasonAgain is Season { function renew(address who) public only { meters[who].last = 0; } }

abstract contract Places is Owned {
  struct Plan { uint256 price; uint256 period; }
  mapping(uint256 => Plan) public plans; mapping(address => uint256) public planOf; mapping(address => uint256) public paidAt;
  constructor() { plans[1] = Plan(5e6, 30 days); }
  function join(uint256 id) public { require(plans[id].price > 0, "None"); planOf[msg.sender] = id; paidAt[msg.sender] = block.timestamp; require(T.transferFrom(msg.sender, _owner, plans[id].price)); }
  function charge(address who) public { Plan storage p = plans[planOf[who]]; require(planOf[who] != 0 && block.timestamp >= paidAt[who] + p.period, "Early"); paidAt[who] = block.timestamp; require(T.transferFrom(who, _owner, p.price)); }
}
contract HonestPlaces is Places { function close(uint256 id) public only { plans[id].price = 0; } }
contract PlacesAnytime is Places { function setPeriod(uint256 id, uint256 period) public only { plans[id].period = period; } }

abstract contract Terms is Owned {
  struct Term { uint256 price; uint256 left; uint256 due; uint256 id; } uint256[] public prices; mapping(address => Term) public terms;
  constructor() { prices.push(20e6); prices.push(30e6); }
  function take(uint256 id, uint256 most, uint256 times) public { require(id < prices.length && prices[id] <= most && times > 0 && times <= 24, "Terms"); terms[msg.sender] = Term(prices[id], times, block.timestamp, id); collect(msg.sender); }
  function setPrice(uint256 id, uint256 price) public only { prices[id] = price; }
  function collect(address who) public { Term storage t = terms[who]; require(t.left > 0 && block.timestamp >= t.due, "Early"); t.left -= 1; t.due += 30 days; require(T.transferFrom(who, _owner, _price(t))); }
  function _price(Term storage t) internal view virtual returns (uint256);
}
contract HonestTerms is Terms { function _price(Term storage t) internal view override returns (uint256) { return t.price; } }
contract TermsOfToday is Terms { function _price(Term storage t) internal view override returns (uint256) { return prices[t.id]; } }

interface INft { function safeTransferFrom(address, address, uint256) external; function transferFrom(address, address, uint256) external; }
abstract contract Carriers {
  mapping(address => mapping(address => bool)) public isAgent; mapping(address => address) public safeOf;
  function name(address agent, bool on) public { isAgent[msg.sender][agent] = on; }
  function setSafe(address safe) public { safeOf[msg.sender] = safe; }
}
contract HonestCarriers is Carriers { function carry(INft nft, address who, uint256 id) public { require(isAgent[who][msg.sender], "Not yours"); require(safeOf[who] != address(0), "No safe"); nft.safeTransferFrom(who, safeOf[who], id); } }
contract CarriersTurned is Carriers { function carry(INft nft, address who, uint256 id) public { require(isAgent[msg.sender][who], "Not yours"); require(safeOf[msg.sender] != address(0), "No safe"); nft.safeTransferFrom(who, safeOf[msg.sender], id); } }

abstract contract Passes is Owned {
  event Transfer(address indexed from, address indexed to, uint256 indexed id); mapping(uint256 => address) public ownerOf; uint256 public sold;
  function buy(uint256 most) public { require(most >= 25e6, "Price"); uint256 id = _next(); emit Transfer(ownerOf[id], msg.sender, id); ownerOf[id] = msg.sender; require(T.transferFrom(msg.sender, _owner, 25e6)); }
  function _next() internal virtual returns (uint256);
}
contract HonestPasses is Passes { function _next() internal override returns (uint256) { return ++sold; } }
contract PassesOfSeason is Passes { function _next() internal view override returns (uint256) { return block.timestamp / 90 days; } }

abstract contract Named is Owned {
  struct Name { address holder; uint64 until; }
  mapping(bytes32 => Name) public names; uint256 public sold;
  function register(string calldata name, uint256 most) public { uint256 n = bytes(name).length; require(n >= 3 && n <= 80 && most >= 5e6, "Terms"); _note(keccak256(bytes(name))); require(T.transferFrom(msg.sender, _owner, 5e6)); }
  function move(bytes32 name, address to) public { require(names[name].holder == msg.sender, "Not yours"); names[name].holder = to; }
  function _note(bytes32 name) internal virtual;
}
contract HonestNames is Named { function _note(bytes32 name) internal override { require(names[name].until < block.timestamp, "Taken"); names[name] = Name(msg.sender, uint64(block.timestamp + 365 days)); } }
contract NamesOfNothing is Named { function _note(bytes32) internal override { sold += 1; } }

abstract contract Rooted is Tokens {
  bytes32 public root; uint256 public rewards; mapping(address => uint256) public got;
  function post(bytes32 r) public only { root = r; }
  function fund(uint256 a) public { rewards += a; T.transferFrom(msg.sender, address(this), a); }
  function claim(address who, uint256 a, bytes32[] calldata proof) public {
    bytes32 node = keccak256(abi.encode(who, a));
    for (uint256 i = 0; i < proof.length; i++) node = node < proof[i] ? keccak256(abi.encode(node, proof[i])) : keccak256(abi.encode(proof[i], node));
    require(node == root, "Proof"); require(got[who] == 0, "Again"); got[who] = a; _pay(who, a);
  }
  function _pay(address who, uint256 a) internal virtual;
}
contract HonestRoot is Rooted { function _pay(address who, uint256 a) internal override { rewards -= a; T.transfer(who, a); } }
contract RootOverStakes is Rooted { function _pay(address who, uint256 a) internal override { T.transfer(who, a); } }

abstract contract Batched is Coins {
  uint256 internal _known;
  function batch(bytes[] calldata calls) public payable { for (uint256 i = 0; i < calls.length; i++) { (bool done, ) = address(this).delegatecall(calls[i]); require(done, "Failed"); } }
  function withdraw(uint256 a) public override { _known -= a; super.withdraw(a); }
}
contract HonestBatch is Batched { function deposit() public payable override { uint256 a = address(this).balance - _known; require(a > 0, "Nothing"); held[msg.sender] += a; _known += a; } }
contract BatchPaidOnce is Batched { function deposit() public payable override { require(msg.value > 0, "Nothing"); held[msg.sender] += msg.value; _known += msg.value; } }

abstract contract Roster is Coins {
  address[] internal _roster = [address(0)]; mapping(address => uint256) internal _seat; uint256 internal _nonce;
  function deposit() public payable override { super.deposit(); if (_seat[msg.sender] == 0) { _seat[msg.sender] = _roster.length; _roster.push(msg.sender); } }
  function pay(address payable to, uint256 a, bytes calldata s) public {
    uint256 n = _roster.length - 1; require(n > 0 && s.length == n * 65, "Count");
    for (uint256 i = 0; i < n; i++) {
      address who = ecrecover(keccak256(abi.encode(address(this), to, a, _nonce)), uint8(s[i * 65 + 64]), bytes32(s[i * 65:i * 65 + 32]), bytes32(s[i * 65 + 32:i * 65 + 64]));
      require(_isOne(who), "Not one of us");
    }
    _nonce++; to.transfer(a);
  }
  function _isOne(address who) internal view virtual returns (bool);
}
contract HonestRoster is Roster { function _isOne(address who) internal view override returns (bool) { return who != address(0) && _roster[_seat[who]] == who; } }
contract RosterOfNone is Roster { function _isOne(address who) internal view override returns (bool) { return _roster[_seat[who]] == who; } }

abstract contract OpenedFirst is Tokens { bool public isOpen; function open(bool on) public only { isOpen = on; } function deposit(uint256 a) public override { require(isOpen, "Closed"); super.deposit(a); } }
contract HonestOpenedFirst is OpenedFirst {}
contract OpenedAndTaken is OpenedFirst { function take() public only { T.transfer(_owner, T.balanceOf(address(this))); } }

abstract contract Tickets is Owned {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  mapping(uint256 => address) public ownerOf; uint256 public sold;
  function buy(uint256 count) public payable { require(count > 0 && count <= 10 && msg.value >= count * 0.05 ether, "Price"); for (uint256 i = 0; i < count; i++) { _issue(++sold, msg.sender); emit Transfer(address(0), msg.sender, sold); } _owner.transfer(msg.value); }
  function _issue(uint256 id, address to) internal virtual;
}
contract HonestTickets is Tickets { function _issue(uint256 id, address to) internal override { ownerOf[id] = to; } }
contract TicketsOnPaper is Tickets { function _issue(uint256, address) internal override {} }

abstract contract StakedFor is Tokens {
  mapping(address => mapping(address => bool)) public isAgent;
  function name(address agent, bool on) public { isAgent[msg.sender][agent] = on; }
  function stakeFor(address payer, address who, uint256 a) public { address asked = _asked(payer, who); require(asked == msg.sender || isAgent[asked][msg.sender], "Not yours"); require(T.transferFrom(payer, address(this), a)); held[who] += a; _total += a; }
  function _asked(address payer, address who) internal pure virtual returns (address);
}
contract HonestStakedFor is StakedFor { function _asked(address payer, address) internal pure override returns (address) { return payer; } }
contract StakedByReceiver is StakedFor { function _asked(address, address who) internal pure override returns (address) { return who; } }

interface IPermit2 {
  struct Permissions { address token; uint256 amount; } struct Permit { Permissions permitted; uint256 nonce; uint256 deadline; } struct Details { address to; uint256 amount; }
  function permitTransferFrom(Permit memory, Details memory, address, bytes memory) external;
  function permitWitnessTransferFrom(Permit memory, Details memory, address, bytes32, string memory, bytes memory) external;
}
abstract contract Orders {
  IPermit2 internal constant P = IPermit2(${PERMIT2});
  function fill(IToken want, uint256 least, uint256 given, IPermit2.Permit calldata permit, address who, bytes calldata s) public virtual {
    require(given >= least, "Too little"); _take(permit, who, keccak256(abi.encode(keccak256("Order(address want,uint256 least)"), want, least)), s); require(want.transferFrom(msg.sender, who, given), "Unpaid");
  }
  function _take(IPermit2.Permit calldata permit, address who, bytes32 witness, bytes calldata s) internal virtual;
}
contract HonestOrders is Orders { function _take(IPermit2.Permit calldata permit, address who, bytes32 witness, bytes calldata s) internal override { P.permitWitnessTransferFrom(permit, IPermit2.Details(msg.sender, permit.permitted.amount), who, witness, "Order witness)Order(address want,uint256 least)TokenPermissions(address token,uint256 amount)", s); } }
contract OrdersForLess is Orders {
  function fill(IToken want, uint256, uint256 given, IPermit2.Permit calldata permit, address who, bytes calldata s) public override { P.permitWitnessTransferFrom(permit, IPermit2.Details(msg.sender, permit.permitted.amount), who, keccak256(abi.encode(keccak256("Order(address want)"), want)), "Order witness)Order(address want)TokenPermissions(address token,uint256 amount)", s); require(want.transferFrom(msg.sender, who, given), "Unpaid"); }
  function _take(IPermit2.Permit calldata, address, bytes32, bytes calldata) internal override {}
}
contract OrdersForAnything is Orders { function _take(IPermit2.Permit calldata permit, address who, bytes32, bytes calldata s) internal override { P.permitTransferFrom(permit, IPermit2.Details(msg.sender, permit.permitted.amount), who, s); } }

abstract contract Offers {
  struct Offer { address seller; INft nft; uint256 id; uint256 price; uint256 nonce; } mapping(address => mapping(uint256 => bool)) public isUsed;
  function fill(Offer calldata o, IToken money, uint8 v, bytes32 r, bytes32 s) public {
    require(!isUsed[o.seller][o.nonce], "Used"); address signer = ecrecover(_hash(o, money), v, r, s); require(signer != address(0) && signer == o.seller, "Not signed");
    isUsed[o.seller][o.nonce] = true; require(money.transferFrom(msg.sender, o.seller, o.price), "Unpaid"); o.nft.transferFrom(o.seller, msg.sender, o.id);
  }
  function _hash(Offer calldata o, IToken money) internal view virtual returns (bytes32);
}
contract HonestOffers is Offers { function _hash(Offer calldata o, IToken money) internal view override returns (bytes32) { return keccak256(abi.encode(address(this), o.seller, o.nft, o.id, money, o.price, o.nonce)); } }
contract OffersForAnyMoney is Offers { function _hash(Offer calldata o, IToken) internal view override returns (bytes32) { return keccak256(abi.encode(address(this), o.seller, o.nft, o.id, o.price, o.nonce)); } }

abstract contract Couriers {
  mapping(bytes32 => bool) public isDone;
  function send(address from, address to, uint256 a, uint256 nonce, uint8 v, bytes32 r, bytes32 s) public { bytes32 hash = _hash(from, to, a, nonce); require(!isDone[hash], "Done"); isDone[hash] = true; require(from != address(0) && ecrecover(hash, v, r, s) == from, "Not signed"); IToken(${USDC}).transferFrom(from, to, a); }
  function _hash(address from, address to, uint256 a, uint256 nonce) internal view virtual returns (bytes32);
}
contract HonestCouriers is Couriers { function _hash(address from, address to, uint256 a, uint256 nonce) internal view override returns (bytes32) { return keccak256(abi.encode(address(this), from, to, a, nonce)); } }
contract CouriersToAnyone is Couriers { function _hash(address from, address, uint256 a, uint256 nonce) internal view override returns (bytes32) { return keccak256(abi.encode(address(this), from, a, nonce)); } }

interface IFees { function feeOf(address who, uint256 a) external view returns (uint256); }
abstract contract Payroll is Owned {
  IFees public fees; function setFees(IFees f) public only { fees = f; }
  function pay(IToken token, address[] calldata to, uint256[] calldata a) public {
    uint256 sum; for (uint256 i = 0; i < to.length; i++) { sum += a[i]; require(token.transferFrom(msg.sender, to[i], a[i]), "Failed"); }
    uint256 fee = address(fees) == address(0) ? 0 : _most(sum, fees.feeOf(msg.sender, sum)); if (fee > 0) require(token.transferFrom(msg.sender, _owner, fee), "Failed");
  }
  function _most(uint256 sum, uint256 fee) internal pure virtual returns (uint256);
}
contract HonestPayroll is Payroll { function _most(uint256 sum, uint256 fee) internal pure override returns (uint256) { return fee > sum / 100 ? sum / 100 : fee; } }
contract PayrollByAdvice is Payroll { function _most(uint256, uint256 fee) internal pure override returns (uint256) { return fee; } }

contract HonestSale is Owned {
  mapping(address => uint256) public paid; uint256 public raised; bool public isOver; uint256 internal immutable _end = block.timestamp + 7 days; SaleToken public immutable token = new SaleToken();
  function pay() public payable { require(block.timestamp < _end && msg.value > 0, "Over"); paid[msg.sender] += msg.value; raised += msg.value; }
  function leave() public { require(block.timestamp < _end, "Over"); uint256 a = paid[msg.sender]; paid[msg.sender] = 0; raised -= a; payable(msg.sender).transfer(a); }
  function finish() public { require(block.timestamp >= _end && !isOver, "Not yet"); isOver = true; _owner.transfer(raised); }
  function claim() public { require(isOver, "Not yet"); uint256 a = paid[msg.sender]; paid[msg.sender] = 0; token.transfer(msg.sender, a * 1000); }
}
contract SaleToken { mapping(address => uint256) public balanceOf; event Transfer(address indexed a, address indexed b, uint256 c); constructor() { balanceOf[msg.sender] = 1e30; } function transfer(address to, uint256 a) public returns (bool) { balanceOf[msg.sender] -= a; balanceOf[to] += a; emit Transfer(msg.sender, to, a); return true; } }
contract ClimbingFee is Coins { uint256 public raised; function deposit() public payable override { super.deposit(); raised += msg.value; } function withdraw(uint256 a) public override { uint256 fee = raised >= 5 ether ? a : a * raised / 5 ether; held[msg.sender] -= a; raised -= a; payable(msg.sender).transfer(a - fee); } }
contract HonestFee is Coins { uint256 public raised; function deposit() public payable override { super.deposit(); raised += msg.value; } function withdraw(uint256 a) public override { uint256 fee = raised >= 5 ether ? a / 50 : a / 100; held[msg.sender] -= a; raised -= a; payable(msg.sender).transfer(a - fee); } }

abstract contract Editions is Owned {
  struct Edition { address merchant; IToken token; uint128 price; uint32 period; bool isOpen; } struct Reader { uint128 price; uint32 period; uint64 next; bool isIn; } mapping(uint256 => Edition) public editions; mapping(uint256 => mapping(address => Reader)) public readers; uint256 public count;
  function create(IToken token, uint128 price, uint32 period) public { require(price > 0 && period >= 1 days && period <= 366 days, "Terms"); editions[++count] = Edition(msg.sender, token, price, period, true); }
  function subscribe(uint256 id, uint128 most, uint32 least) public { Edition storage e = editions[id]; Reader storage r = readers[id][msg.sender]; require(e.isOpen && !r.isIn && e.price <= most && e.period >= least, "Terms"); readers[id][msg.sender] = Reader(e.price, e.period, uint64(block.timestamp + e.period), true); e.token.transferFrom(msg.sender, e.merchant, e.price); }
  function leave(uint256 id) public { readers[id][msg.sender].isIn = false; }
  function update(uint256 id, uint128 price, uint32 period, bool on) public { Edition storage e = editions[id]; require(msg.sender == e.merchant && price > 0 && period > 0 && period <= 366 days, "Terms"); e.price = price; e.period = period; e.isOpen = on; }
  function charge(uint256 id, address who) public { Edition storage e = editions[id]; Reader storage r = readers[id][who]; require(msg.sender == e.merchant && r.isIn, "No"); e.token.transferFrom(who, e.merchant, _due(e, r)); }
  function _due(Edition storage e, Reader storage r) internal virtual returns (uint256);
}
contract HonestEditions is Editions { function _due(Edition storage, Reader storage r) internal override returns (uint256) { require(block.timestamp >= r.next, "Early"); r.next = uint64(block.timestamp + r.period); return r.price; } }
contract EditionsOfToday is Editions { function _due(Edition storage e, Reader storage r) internal override returns (uint256) { uint256 at = uint256(r.next) - r.period; uint256 n = (block.timestamp - at) / e.period; require(n > 0, "Early"); r.period = e.period; r.next = uint64(at + (n + 1) * e.period); return n * e.price; } }
`

const codes = compileSolidity(SOURCE)

/** What is to be found, and how bad it is at least. */
const EXPECTED: Expected = {
  RateSinceEver: ['allowance-puller', 45],
  SeatsAnytime: ['allowance-puller', 45],
  SeasonAgain: ['allowance-puller', 45],
  PlacesAnytime: ['allowance-puller', 45],
  TermsOfToday: ['allowance-puller', 45],
  CarriersTurned: ['nft-puller', 45],
  PassesOfSeason: ['approve-first-claim', 45],
  NamesOfNothing: ['approve-first-claim', 45],
  RootOverStakes: ['deposit-taker', 40],
  BatchPaidOnce: ['deposit-taker', 40],
  RosterOfNone: ['deposit-taker', 40],
  OpenedAndTaken: ['deposit-taker', 40],
  TicketsOnPaper: ['counterfeit-events', 40],
  StakedByReceiver: ['allowance-puller', 45],
  OrdersForAnything: ['permit-puller', 40],
  OrdersForLess: ['permit-puller', 40],
  PayrollByAdvice: ['approve-first-claim', 45],
  OffersForAnyMoney: ['permit-puller', 40],
  CouriersToAnyone: ['permit-puller', 40],
  ClimbingFee: ['late-lock', 40],
  EditionsOfToday: ['allowance-puller', 45],
}

const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)
