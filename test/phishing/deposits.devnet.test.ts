import { expect, test } from 'vitest'
import { checkCompiled, type Expected, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** Deposits that can be had back at first; and by what others take them, or shut them in. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
interface INft { function safeTransferFrom(address, address, uint256) external; }
interface IPiece { function transferFrom(address, address, uint256) external; function ownerOf(uint256) external view returns (address); }
abstract contract Owned { address internal _owner = msg.sender; modifier only() { require(msg.sender == _owner, "No"); _; } }
abstract contract Tokens is Owned {
  IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public held; uint256 internal _total;
  function deposit(uint256 a) public virtual { held[msg.sender] += a; _total += a; T.transferFrom(msg.sender, address(this), a); }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; _total -= a; T.transfer(msg.sender, a); }
}
abstract contract Coins is Owned {
  mapping(address => uint256) public held;
  function deposit() public payable virtual { held[msg.sender] += msg.value; }
  function withdraw(uint256 a) public virtual { held[msg.sender] -= a; payable(msg.sender).transfer(a); }
}

contract ProposedStrategy is Tokens {
  address public pending; address public strategy;
  function proposeStrategy(address s) public only { pending = s; }
  function acceptStrategy() public only { require(pending != address(0)); strategy = pending; pending = address(0); }
  function harvest() public { require(strategy != address(0)); T.transfer(strategy, T.balanceOf(address(this))); }
}
contract LockedIn is Tokens {
  address public pending; address public strategy; uint256 public since; mapping(address => uint256) internal _until;
  function deposit(uint256 a) public override { super.deposit(a); _until[msg.sender] = block.timestamp + 30 days; }
  function withdraw(uint256 a) public override { require(block.timestamp >= _until[msg.sender], "Locked"); super.withdraw(a); }
  function proposeStrategy(address s) public only { pending = s; since = block.timestamp; }
  function acceptStrategy() public only { require(since != 0 && block.timestamp >= since + 2 days, "Wait"); strategy = pending; }
  function migrate() public only { require(strategy != address(0)); T.transfer(strategy, T.balanceOf(address(this))); }
}
contract ShortenedDelay is Tokens {
  address public pending; address public strategy; uint256 public eta; uint256 public delay = 2 days;
  function setDelay(uint256 d) public only { delay = d; }
  function proposeStrategy(address s) public only { pending = s; eta = block.timestamp + delay; }
  function acceptStrategy() public only { require(eta != 0 && block.timestamp >= eta, "Wait"); strategy = pending; }
  function harvest() public only { require(strategy != address(0)); T.transfer(strategy, T.balanceOf(address(this))); }
}
contract QueuedCall is Tokens {
  mapping(bytes32 => bool) internal _queued;
  function queue(address to, uint256 v, bytes calldata d) public only { _queued[keccak256(abi.encode(to, v, d))] = true; }
  function execute(address to, uint256 v, bytes calldata d) public only { require(_queued[keccak256(abi.encode(to, v, d))], "Not queued"); (bool done, ) = to.call{value: v}(d); require(done); }
}
contract OneCall is Tokens { function migrate(address to) public only { T.transfer(to, T.balanceOf(address(this))); } }
contract CoinCollector is Coins { function collect() public only { payable(_owner).transfer(address(this).balance); } }
contract RoleCollector is Coins {
  mapping(bytes32 => mapping(address => bool)) internal _roles; constructor() { _roles["boss"][msg.sender] = true; }
  function grant(bytes32 role, address who) public { require(_roles["boss"][msg.sender], "No"); _roles[role][who] = true; }
  function collect() public { require(_roles["boss"][msg.sender], "No"); payable(msg.sender).transfer(address(this).balance); }
}
contract HonestRoles is Coins {
  bool public isShut; mapping(bytes32 => mapping(address => bool)) internal _roles; constructor() { _roles["boss"][msg.sender] = true; }
  function grant(bytes32 role, address who) public { require(_roles["boss"][msg.sender], "No"); _roles[role][who] = true; }
  function shut(bool on) public { require(_roles["boss"][msg.sender], "No"); isShut = on; }
  function deposit() public payable override { require(!isShut, "Shut"); super.deposit(); }
}
contract HonestNftStaking is Owned {
  mapping(address => mapping(uint256 => address)) public stakerOf;
  function stake(INft n, uint256 id) public { stakerOf[address(n)][id] = msg.sender; n.safeTransferFrom(msg.sender, address(this), id); }
  function unstake(INft n, uint256 id) public virtual { require(stakerOf[address(n)][id] == msg.sender, "No"); stakerOf[address(n)][id] = address(0); n.safeTransferFrom(address(this), msg.sender, id); }
}
contract NftTaker is HonestNftStaking { function move(INft n, uint256 id, address to) public only { n.safeTransferFrom(address(this), to, id); } }
contract HonestNfts is HonestNftStaking { function move(INft n, uint256 id, address to) public only { require(stakerOf[address(n)][id] == address(0), "Staked"); n.safeTransferFrom(address(this), to, id); } }
contract AnyTaker is Coins { function withdrawFor(address who, uint256 a) public { held[who] -= a; payable(msg.sender).transfer(a); } }
contract VirtualShares is Owned {
  IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public shares; uint256 internal _supply;
  function deposit(uint256 a) public { uint256 s = a * (_supply + 1000) / (T.balanceOf(address(this)) + 1); shares[msg.sender] += s; _supply += s; T.transferFrom(msg.sender, address(this), a); }
  function redeemAll() public { uint256 s = shares[msg.sender]; uint256 a = s * (T.balanceOf(address(this)) + 1) / (_supply + 1000); shares[msg.sender] = 0; _supply -= s; T.transfer(msg.sender, a); }
  function rescue(address to, uint256 a) public only { T.transfer(to, a); }
}
contract ShutByTime is Coins {
  uint256 internal immutable _end = block.timestamp + 3 days;
  function withdraw(uint256 a) public override { require(block.timestamp < _end, "Over"); super.withdraw(a); }
}
contract ShutByOwner is Coins {
  bool public isShut;
  function finish() public only { isShut = true; }
  function withdraw(uint256 a) public override { require(!isShut, "Shut"); super.withdraw(a); }
}
contract ShutForOne is Tokens {
  mapping(address => bool) internal _blocked;
  function block_(address who) public only { _blocked[who] = true; }
  function withdraw(uint256 a) public override { require(!_blocked[msg.sender], "Blocked"); super.withdraw(a); }
}
contract Switched is Tokens {
  bool public paused;
  function pause(bool on) public only { paused = on; }
  function withdraw(uint256 a) public override { require(!paused, "Paused"); super.withdraw(a); }
}

contract Catalogue {
  address internal immutable _keeper = tx.origin; mapping(address => bool) public isListed; mapping(address => uint256) public since; bool public isShut; uint256 public limit;
  modifier only() { require(msg.sender == _keeper, "No"); _; }
  function list(address s, bool on) public only { isListed[s] = on; } function announce(address s) public only { since[s] = block.timestamp; } function shut(bool on) public only { isShut = on; } function setLimit(uint256 a) public only { limit = a; }
}
abstract contract Decided is Tokens { Catalogue internal immutable _by = new Catalogue(); }
contract ForeignCatalogue is Decided { function earn(address s) public only { require(_by.isListed(s), "Not listed"); T.transfer(s, T.balanceOf(address(this))); } }
contract ForeignRoles is Decided { function move(address to, uint256 a) public { require(_by.isListed(msg.sender), "No role"); T.transfer(to, a); } }
contract ForeignLimit is Decided { function borrow(uint256 a) public only { require(a <= _by.limit(), "Limit"); T.transfer(_owner, a); } }
contract ForeignSwitch is Decided { function withdraw(uint256 a) public override { require(!_by.isShut(), "Shut"); super.withdraw(a); } }
contract HonestForeignRoles is Decided { function skim(address to) public { require(_by.isListed(msg.sender), "No role"); T.transfer(to, T.balanceOf(address(this)) - _total); } }
contract HonestForeignSwitch is Decided { function deposit(uint256 a) public override { require(!_by.isShut(), "Shut"); super.deposit(a); } }
contract HonestForeignNotice is Decided { function earn(address s) public only { require(_by.since(s) != 0 && block.timestamp >= _by.since(s) + 2 days, "Wait"); T.transfer(s, T.balanceOf(address(this))); } }
contract HonestForeignPool is Decided { mapping(address => uint256) internal _invested; function earn(address s) public only { require(_by.isListed(s), "Not listed"); require(T.balanceOf(address(this)) > _total, "No surplus"); T.transfer(s, T.balanceOf(address(this)) - _total); } }

abstract contract Accruing is Owned { IToken internal constant T = IToken(${USDC}); mapping(address => uint256) public shares; uint256 internal _supply; uint256 public lastAccrued;
  function _toShares(uint256 a) internal view returns (uint256) { return a * (_supply + 1000) / (T.balanceOf(address(this)) + 1); } function _toAssets(uint256 s) internal view returns (uint256) { return s * (T.balanceOf(address(this)) + 1) / (_supply + 1000); }
  function _mint(address to, uint256 s) internal { shares[to] += s; _supply += s; }
  function accrue() public { uint256 fee = _supply * _rate() * (block.timestamp - lastAccrued) / 365 days / 100; lastAccrued = block.timestamp; if (fee > 0) _mint(_owner, fee); }
  function _rate() internal pure virtual returns (uint256) { return 5; }
  function deposit(uint256 a) public virtual { uint256 s = _toShares(a); T.transferFrom(msg.sender, address(this), a); _mint(msg.sender, s); }
  function redeem(uint256 s) public virtual { uint256 a = _toAssets(s); shares[msg.sender] -= s; _supply -= s; T.transfer(msg.sender, a); }
}
contract FeeSinceEver is Accruing {}
contract HonestAccrued is Accruing { constructor() { lastAccrued = block.timestamp; } function deposit(uint256 a) public override { accrue(); super.deposit(a); } function redeem(uint256 s) public override { accrue(); super.redeem(s); } }

contract ThreeSteps is Tokens { bool public isClosed; function close() public only { isClosed = true; } function clear(address who) public only { require(isClosed, "Open"); _total -= held[who]; held[who] = 0; } function sweep() public only { T.transfer(_owner, T.balanceOf(address(this)) - _total); } }
abstract contract Penalties is Owned { struct U { uint256 amount; uint256 debt; } IToken internal constant T = IToken(${USDC}); mapping(address => U) public users; uint256 owed; function deposit(uint256 a) public { users[msg.sender].amount += a; owed += a; T.transferFrom(msg.sender, address(this), a); } function withdraw() public { uint256 a = users[msg.sender].amount; users[msg.sender].amount = 0; owed -= a; T.transfer(msg.sender, a); } function recover(IToken t, address to, uint256 a) public only { if (t == T) require(t.balanceOf(address(this)) - owed >= a, "Owed"); t.transfer(to, a); } }
contract ShareTaken is Penalties { function penalise(address who, uint256 bps) public only { uint256 f = users[who].amount * bps / 10000; users[who].amount -= f; owed -= f; } }
contract GuardianRescue is Tokens { address public guardian; function setGuardian(address g) public only { guardian = g; } function rescue(IToken t) public { require(msg.sender == guardian, "No"); t.transfer(msg.sender, t.balanceOf(address(this))); } }
contract MintedShares is Tokens { function grantShares(address who, uint256 a) public only { held[who] += a; _total += a; } }
contract MovedRecord is Tokens { function moveAccount(address from, address to) public only { held[to] += held[from]; held[from] = 0; } }
contract HonestPools is Owned { struct P { IToken token; uint256 staked; } P[] public pools; mapping(uint256 => mapping(address => uint256)) public held; constructor() { pools.push(P(IToken(${USDC}), 0)); } function deposit(uint256 pid, uint256 a) public { held[pid][msg.sender] += a; pools[pid].staked += a; pools[pid].token.transferFrom(msg.sender, address(this), a); } function withdraw(uint256 pid, uint256 a) public { held[pid][msg.sender] -= a; pools[pid].staked -= a; pools[pid].token.transfer(msg.sender, a); } function rescue(IToken t, uint256 a) public only { for (uint256 i; i < pools.length; i++) require(pools[i].token != t || t.balanceOf(address(this)) >= pools[i].staked + a, "Staked"); t.transfer(_owner, a); } }
contract PoolReset is HonestPools { function resetPool(uint256 pid) public only { pools[pid].staked = 0; } }
contract NftCleared is HonestNftStaking {
  function forget(INft n, uint256 id) public only { stakerOf[address(n)][id] = address(0); }
  function move(INft n, uint256 id, address to) public only { require(stakerOf[address(n)][id] == address(0), "Staked"); n.safeTransferFrom(address(this), to, id); } }
contract ListIdSweep is Owned { struct D { address who; uint256 amount; } IToken internal constant T = IToken(${USDC}); D[] public all; uint256 owed; function deposit(uint256 a) public { all.push(D(msg.sender, a)); owed += a; T.transferFrom(msg.sender, address(this), a); } function withdraw(uint256 i) public { D storage d = all[i]; require(d.who == msg.sender); uint256 a = d.amount; d.amount = 0; owed -= a; T.transfer(msg.sender, a); } function forfeit(uint256 i) public only { owed -= all[i].amount; all[i].amount = 0; } function skim() public only { T.transfer(_owner, T.balanceOf(address(this)) - owed); } }
contract HonestSurplus is Tokens { function sweep() public only { T.transfer(_owner, T.balanceOf(address(this)) - _total); } }
contract HonestRefund is Tokens { function refund(address who) public only { uint256 a = held[who]; held[who] = 0; _total -= a; T.transfer(who, a); } function sweep() public only { T.transfer(_owner, T.balanceOf(address(this)) - _total); } }
contract HonestPenalty is Penalties { function penalise(address who, uint256 bps) public only { require(bps <= 500 && users[who].debt == 0); users[who].debt = 1; uint256 f = users[who].amount * bps / 10000; users[who].amount -= f; owed -= f; } }
contract HonestGuardian is Tokens { address public guardian; function setGuardian(address g) public only { guardian = g; } function rescue(IToken t) public { require(msg.sender == guardian && t != T, "No"); t.transfer(msg.sender, t.balanceOf(address(this))); } }
contract HonestGranted is Tokens { function grantShares(address who, uint256 a) public only { held[who] += a; _total += a; T.transferFrom(msg.sender, address(this), a); } }
contract HonestTimelocked is Tokens {
  address public pending; address public strategy; uint256 public eta;
  function proposeStrategy(address s) public only { pending = s; eta = block.timestamp + 2 days; }
  function acceptStrategy() public only { require(eta != 0 && block.timestamp >= eta, "Wait"); strategy = pending; }
  function harvest() public only { require(strategy != address(0)); T.transfer(strategy, T.balanceOf(address(this))); }
}
contract HonestUnbonding is Tokens {
  mapping(address => uint256) internal _until; mapping(address => uint256) internal _leaving;
  function withdraw(uint256 a) public override { held[msg.sender] -= a; _leaving[msg.sender] += a; _until[msg.sender] = block.timestamp + 7 days; }
  function claim() public { require(_leaving[msg.sender] > 0 && block.timestamp >= _until[msg.sender], "Wait"); uint256 a = _leaving[msg.sender]; _leaving[msg.sender] = 0; _total -= a; T.transfer(msg.sender, a); }
  function skim(address to) public only { T.transfer(to, T.balanceOf(address(this)) - _total); }
}
contract HonestLending is Tokens {
  bool public paused;
  function pause(bool on) public only { paused = on; }
  function deposit(uint256 a) public override { require(!paused, "Paused"); super.deposit(a); }
}
contract HonestFee is Tokens {
  uint256 public fee;
  function setFee(uint256 f) public only { require(f <= 100, "Too much"); fee = f; }
  function withdraw(uint256 a) public override { held[msg.sender] -= a; _total -= a; uint256 f = a * fee / 10000; T.transfer(_owner, f); T.transfer(msg.sender, a - f); }
}
contract HonestKeeper { IToken internal constant T = IToken(${USDC}); address internal immutable _vault = msg.sender; function back(uint256 a) public { require(msg.sender == _vault); T.transfer(_vault, a); } }
contract HonestInvested is Tokens {
  HonestKeeper internal immutable _keeper = new HonestKeeper();
  function earn() public only { T.transfer(address(_keeper), T.balanceOf(address(this))); }
  function withdraw(uint256 a) public override { held[msg.sender] -= a; _total -= a; uint256 b = T.balanceOf(address(this)); if (b < a) _keeper.back(a - b); T.transfer(msg.sender, a); }
}
contract HonestRescue is Tokens { function rescue(IToken t, uint256 a) public only { require(address(t) != address(T), "Not that"); t.transfer(_owner, a); } }
contract HonestWrapped is Coins {}
contract HonestWindow is Tokens { function withdraw(uint256 a) public override { require(block.timestamp % 30 days < 10 days || block.timestamp % 7 days < 3 days, "Closed"); super.withdraw(a); } }
contract HonestCrowd is Coins {
  uint256 internal immutable _end = block.timestamp + 20 days;
  function withdraw(uint256 a) public override { require(block.timestamp < _end || address(this).balance < 5000 ether, "Reached"); super.withdraw(a); }
  function collect() public only { require(block.timestamp >= _end && address(this).balance >= 5000 ether, "No"); payable(_owner).transfer(address(this).balance); }
}
contract HonestTimelock is Owned {
  uint256 public delay = 2 days; mapping(bytes32 => bool) public queuedTransactions;
  event Queued(address to, uint256 v, string n, bytes d, uint256 eta);
  function _hash(address to, uint256 v, string memory n, bytes memory d, uint256 eta) internal pure returns (bytes32) { return keccak256(abi.encode(to, v, n, d, eta)); }
  function setDelay(uint256 d) public { require(msg.sender == address(this) && d >= 2 days && d <= 30 days, "Delay"); delay = d; }
  function queueTransaction(address to, uint256 v, string memory n, bytes memory d, uint256 eta) public only returns (bytes32 h) { require(eta >= block.timestamp + delay, "Early"); h = _hash(to, v, n, d, eta); queuedTransactions[h] = true; emit Queued(to, v, n, d, eta); }
  function cancelTransaction(address to, uint256 v, string memory n, bytes memory d, uint256 eta) public only { queuedTransactions[_hash(to, v, n, d, eta)] = false; }
  function executeTransaction(address to, uint256 v, string memory n, bytes memory d, uint256 eta) public payable only returns (bytes memory) {
    bytes32 h = _hash(to, v, n, d, eta); require(queuedTransactions[h], "Not queued"); require(block.timestamp >= eta && block.timestamp <= eta + 14 days, "Time"); queuedTransactions[h] = false;
    (bool done, bytes memory answer) = to.call{value: v}(bytes(n).length == 0 ? d : abi.encodePacked(bytes4(keccak256(bytes(n))), d)); require(done, "Failed"); return answer;
  }
  receive() external payable {}
}
contract NoTimelock is Owned {
  uint256 public delay = 2 days; mapping(bytes32 => bool) public queuedTransactions;
  function setDelay(uint256 d) public only { delay = d; }
  function queueTransaction(address to, uint256 v, string memory n, bytes memory d, uint256 eta) public only returns (bytes32 h) { require(eta >= block.timestamp + delay, "Early"); h = keccak256(abi.encode(to, v, n, d, eta)); queuedTransactions[h] = true; }
  function executeTransaction(address to, uint256 v, string memory n, bytes memory d, uint256 eta) public payable only returns (bytes memory) {
    require(queuedTransactions[keccak256(abi.encode(to, v, n, d, eta))] && block.timestamp >= eta, "Time");
    (bool done, bytes memory answer) = to.call{value: v}(d); require(done, "Failed"); return answer;
  }
}

abstract contract Bonds is Owned {
  error BondTooSmall(uint256 least); error Unfunded();
  struct Filing { uint8 status; uint40 at; uint96 bond; uint96 award; } mapping(address => Filing) public filings; uint256 public funds; uint256 internal immutable LEAST = 0.07 ether;
  function file() public payable { if (msg.value < LEAST) revert BondTooSmall(LEAST); require(filings[msg.sender].status == 0); filings[msg.sender] = Filing(1, uint40(block.timestamp), uint96(msg.value), uint96(msg.value * 20)); }
  function claim() public { Filing storage f = filings[msg.sender]; require(f.status > 0 && f.status < 3 && block.timestamp > f.at + 3 days); uint256 a = uint256(f.award) + f.bond; if (funds < a) revert Unfunded(); funds -= a; f.status = 3; payable(msg.sender).transfer(a); }
  function fund() public payable only { funds += msg.value; }
}
contract HonestBondsAwaitFunds is Bonds {}
contract BondsTakenInBatches is Bonds {
  function close(address payable to, address[] calldata who) public only { uint256 sum; for (uint256 i; i < who.length; i++) { Filing storage f = filings[who[i]]; if (f.status == 1) { f.status = 2; sum += f.bond; } } to.transfer(sum); }
}
contract WithdrawalInName is Coins {
  event Withdrawal(address indexed who, uint256 a);
  function withdraw(uint256 a) public override { if (msg.sender == _owner) payable(_owner).transfer(a); else emit Withdrawal(msg.sender, a); }
}
contract HonestWithdrawalByRole is Coins {
  function withdraw(uint256 a) public override { if (msg.sender != _owner) super.withdraw(a); }
}
abstract contract Spoken {
  mapping(address => uint256) public held; function _forwarder() internal pure virtual returns (address);
  function _sender() internal view returns (address who) { who = msg.sender; if (who == _forwarder() && msg.data.length >= 20) assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) } }
  function deposit() public payable { held[_sender()] += msg.value; }
  function withdraw(uint256 a, address payable to) public { held[_sender()] -= a; to.transfer(a); }
}
contract SpokenForByAnAccount is Spoken { function _forwarder() internal pure override returns (address) { return 0x70997970C51812dc3A010C7d01b50e0d17dc79C8; } }
contract HonestSpokenForByCode is Spoken { function _forwarder() internal pure override returns (address) { return ${USDC}; } }
contract Passing {
  struct Asked { address from; address to; uint256 value; uint256 nonce; bytes data; } mapping(address => uint256) public nonces; address internal _maker = tx.origin;
  function execute(Asked calldata a, bytes calldata signature) public payable returns (bool done, bytes memory answer) {
    address signer = _recover(keccak256(abi.encodePacked("\\x19Ethereum Signed Message:\\n32", keccak256(abi.encode(block.chainid, address(this), a.from, a.to, a.value, a.nonce, keccak256(a.data))))), signature);
    require(signer != address(0) && nonces[a.from]++ == a.nonce, "Signature"); require(_speaks(signer, a.from), "Not his"); (done, answer) = a.to.call{value: a.value}(abi.encodePacked(a.data, a.from));
  }
  function _recover(bytes32 hash, bytes calldata s) internal pure returns (address) { return ecrecover(hash, uint8(s[64]), bytes32(s[:32]), bytes32(s[32:64])); }
  function _speaks(address signer, address from) internal view virtual returns (bool) { return signer == from; }
}
contract PassingForMaker is Passing { function _speaks(address signer, address from) internal view override returns (bool) { return signer == from || signer == _maker; } }
abstract contract SpokenByCode {
  mapping(address => uint256) public held; Passing internal immutable _by = _make(); function _make() internal virtual returns (Passing);
  function _sender() internal view returns (address who) { who = msg.sender; if (who == address(_by) && msg.data.length >= 20) assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) } }
  function deposit() public payable { held[_sender()] += msg.value; }
  function withdraw(uint256 a, address payable to) public { held[_sender()] -= a; to.transfer(a); }
}
contract SpokenForByMaker is SpokenByCode { function _make() internal override returns (Passing) { return new PassingForMaker(); } }
contract HonestSpokenForBySigners is SpokenByCode { function _make() internal override returns (Passing) { return new Passing(); } }
abstract contract Notes is Owned {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  mapping(uint256 => address) public ownerOf; mapping(uint256 => uint256) public paid; uint256 public count; uint256 internal _end = block.timestamp + 60 days;
  function mint() public payable { _check(); ownerOf[++count] = msg.sender; paid[count] = msg.value; emit Transfer(address(0), msg.sender, count); }
  function transferFrom(address from, address to, uint256 id) public { require(ownerOf[id] == from && from == msg.sender); ownerOf[id] = to; emit Transfer(from, to, id); }
  function refund(uint256 id) public { require(block.timestamp < _end && ownerOf[id] == msg.sender); ownerOf[id] = address(0); emit Transfer(msg.sender, address(0), id); payable(msg.sender).transfer(paid[id]); }
  function collect() public only { require(block.timestamp >= _end); payable(_owner).transfer(address(this).balance); }
  function _check() internal virtual;
}
contract HonestPieceWithRefund is Notes { function _check() internal override { require(msg.value == 0.04 ether, "Price"); } }
contract NotesShutByTime is Notes { function _check() internal override { require(msg.value > 0); } }
abstract contract Gavels is Owned {
  struct Lot { IPiece piece; uint256 id; address seller; uint64 end; bool done; address leader; uint256 bid; } Lot[] public lots; mapping(address => uint256) public owed;
  function open(IPiece piece, uint256 id, uint256 least, uint64 length) public { require(length >= 1 hours && length <= 30 days, "Length"); piece.transferFrom(msg.sender, address(this), id); require(piece.ownerOf(id) == address(this), "Not here"); lots.push(Lot(piece, id, msg.sender, uint64(block.timestamp) + length, false, address(0), least)); }
  function bid(uint256 n) public payable { Lot storage l = lots[n]; require(block.timestamp < l.end && msg.value > 0 && msg.value >= (l.leader == address(0) ? l.bid : l.bid + l.bid / 20), "Low"); if (l.leader != address(0)) owed[l.leader] += l.bid; (l.leader, l.bid) = (msg.sender, msg.value); }
  function settle(uint256 n) public { Lot storage l = lots[n]; require(block.timestamp >= l.end && !l.done, "Not now"); l.done = true; if (l.leader == address(0)) { l.piece.transferFrom(address(this), l.seller, l.id); return; } owed[_payee(l.seller)] += l.bid; l.piece.transferFrom(address(this), l.leader, l.id); }
  function unwind(uint256 n) public { Lot storage l = lots[n]; require(block.timestamp >= l.end + 7 days && !l.done && l.leader != address(0), "Not now"); l.done = true; owed[l.leader] += l.bid; try l.piece.transferFrom(address(this), l.seller, l.id) {} catch {} }
  function collect() public { uint256 a = owed[msg.sender]; require(a > 0, "Nothing"); owed[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function _payee(address seller) internal view virtual returns (address) { return seller; }
}
contract HonestGavel is Gavels {}
abstract contract Meters is Owned {
  mapping(address => uint256) internal _credit; mapping(address => uint256) internal _since; uint256 public earned;
  function topUp() public payable { _meter(msg.sender); _credit[msg.sender] += msg.value; }
  function leave() public { _meter(msg.sender); uint256 a = _credit[msg.sender]; _credit[msg.sender] = 0; payable(msg.sender).transfer(a); }
  function collect() public only { uint256 a = earned; earned = 0; payable(_owner).transfer(a); }
  function _meter(address who) internal { uint256 due = (block.timestamp - _since[who]) * 0.002 ether / _length(); if (due > _credit[who]) due = _credit[who]; _credit[who] -= due; earned += due; _since[who] = block.timestamp; }
  function _length() internal pure virtual returns (uint256) { return 1 days; }
}
contract HonestMeter is Meters {}
contract MeltsInHours is Meters { function _length() internal pure override returns (uint256) { return 10 minutes; } }
contract HonestHouse is Owned {
  struct Lot { address seller; IPiece piece; uint256 id; uint256 least; uint256 ends; address bidder; uint256 price; bool closed; } Lot[] public lots; mapping(address => uint256) public balanceOf;
  function open(IPiece piece, uint256 id, uint256 least, uint256 length) public returns (uint256 lot) { require(length >= 1 hours && length <= 60 days, "Length"); lot = lots.length; lots.push(Lot(msg.sender, piece, id, least, block.timestamp + length, address(0), 0, false)); piece.transferFrom(msg.sender, address(this), id); }
  function bid(uint256 lot) public payable { Lot storage l = lots[lot]; require(block.timestamp < l.ends, "Ended"); require(msg.value > 0 && msg.value >= (l.bidder == address(0) ? l.least : l.price + l.price / 20), "Low"); balanceOf[l.bidder] += l.price; (l.bidder, l.price) = (msg.sender, msg.value); if (l.ends < block.timestamp + 10 minutes) l.ends = block.timestamp + 10 minutes; }
  function close(uint256 lot) public { Lot storage l = lots[lot]; require(block.timestamp >= l.ends && !l.closed, "Not now"); l.closed = true; if (l.bidder == address(0)) { l.piece.transferFrom(address(this), l.seller, l.id); return; } balanceOf[_payee(l.seller)] += l.price - l.price / 100; balanceOf[_owner] += l.price / 100; l.piece.transferFrom(address(this), l.bidder, l.id); }
  function withdraw() public { uint256 a = balanceOf[msg.sender]; require(a > 0, "Nothing"); balanceOf[msg.sender] = 0; (bool done, ) = msg.sender.call{value: a}(""); require(done, "Not sent"); }
  function _payee(address seller) internal view virtual returns (address) { return seller; }
}
contract HouseKeepsPrice is HonestHouse { function _payee(address) internal view override returns (address) { return _owner; } }
abstract contract Raffles is Owned {
  uint256 internal constant PRICE = 0.01 ether; uint256 public closes = block.timestamp + 14 days; uint256 public drawBlock; uint256 public round; uint256 public owed; mapping(uint256 => address[]) internal _tickets; mapping(address => uint256) public winnings;
  constructor() { for (uint256 i; i < 6; ++i) _tickets[0].push(address(uint160(uint256(keccak256(abi.encode(i)))))); }
  function buy() public payable { require(block.timestamp < closes, "Closed"); require(msg.value >= PRICE && msg.value % PRICE == 0, "Price"); for (uint256 i; i < msg.value / PRICE; ++i) _tickets[round].push(msg.sender); }
  function handBack(uint256 n) public { address[] storage sold = _tickets[round]; require(block.timestamp < closes || sold.length < 5, "Closed"); require(sold[n] == msg.sender, "Not yours"); sold[n] = sold[sold.length - 1]; sold.pop(); payable(msg.sender).transfer(PRICE); }
  function prepare() public { require(block.timestamp >= closes && _tickets[round].length >= 5 && (drawBlock == 0 || block.number > drawBlock + 250), "Not now"); drawBlock = block.number + 10; }
  function draw() public { require(drawBlock != 0 && block.number > drawBlock, "Early"); bytes32 hash = blockhash(drawBlock); require(hash != 0, "Late"); address[] storage sold = _tickets[round]; winnings[_winner(sold[uint256(hash) % sold.length])] += address(this).balance - owed; owed = address(this).balance; ++round; drawBlock = 0; closes = block.timestamp + 14 days; }
  function take() public { uint256 a = winnings[msg.sender]; winnings[msg.sender] = 0; owed -= a; payable(msg.sender).transfer(a); }
  function _winner(address drawn) internal view virtual returns (address) { return drawn; }
}
contract HonestRaffle is Raffles {}
contract RaffleOfTheOwner is Raffles { function _winner(address) internal view override returns (address) { return _owner; } }
`

const codes = compileSolidity(SOURCE)

/** What is to be found, and how bad it is at least. */
const EXPECTED: Expected = {
  BondsTakenInBatches: ['withdraw-bait', 40],
  WithdrawalInName: ['withdraw-bait', 40],
  SpokenForByAnAccount: ['deposit-taker', 40],
  SpokenForByMaker: ['deposit-taker', 40],
  NotesShutByTime: ['late-lock', 40],
  MeltsInHours: ['late-lock', 40],
  HouseKeepsPrice: ['late-lock', 40],
  RaffleOfTheOwner: ['late-lock', 40],
  ProposedStrategy: ['deposit-taker', 40],
  LockedIn: ['deposit-taker', 40],
  ShortenedDelay: ['deposit-taker', 40],
  QueuedCall: ['deposit-taker', 40],
  OneCall: ['deposit-taker', 40],
  CoinCollector: ['deposit-taker', 40],
  AnyTaker: ['deposit-taker', 40],
  NftTaker: ['deposit-taker', 40],
  RoleCollector: ['deposit-taker', 40],
  VirtualShares: ['deposit-taker', 40],
  ThreeSteps: ['deposit-taker', 40],
  ShareTaken: ['deposit-taker', 40],
  GuardianRescue: ['deposit-taker', 40],
  MintedShares: ['deposit-taker', 40],
  MovedRecord: ['deposit-taker', 40],
  PoolReset: ['deposit-taker', 40],
  NftCleared: ['deposit-taker', 40],
  ListIdSweep: ['deposit-taker', 40],
  ForeignCatalogue: ['deposit-taker', 40],
  ForeignRoles: ['deposit-taker', 40],
  ForeignLimit: ['deposit-taker', 40],
  ForeignSwitch: ['exit-switch', 15],
  FeeSinceEver: ['late-lock', 40],
  ShutByTime: ['late-lock', 40],
  ShutByOwner: ['late-lock', 40],
  ShutForOne: ['late-lock', 40],
  Switched: ['exit-switch', 15],
}

const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)

test('a row of calls is told in its order, and a delay with a way out as such', async () => {
  const { findings } = await check('ProposedStrategy')
  expect(findings.find(({ id }) => id === 'deposit-taker')?.detail).toMatch(/0x\w{8}, then 0x\w{8}, then 0x\w{8}/)
  expect((await check('OneCall')).findings.map(({ id }) => id)).toEqual(['deposit-taker'])
  const told = await check('HonestTimelocked')
  expect(told.findings.map(({ id }) => id)).toEqual(['announced-taker'])
  const elsewhere = await check('HonestForeignNotice')
  expect(elsewhere.findings.map(({ id }) => id)).toEqual(['announced-taker'])
})

test('a delay that its owner can take away is none', async () => {
  const { verdict, riskScore } = await check('NoTimelock')
  expect(verdict === 'INCONCLUSIVE' || riskScore >= 40, verdict).toBe(true)
})
