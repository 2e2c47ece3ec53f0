// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

interface IAsset {
    function balanceOf(address account) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @notice Shares for a deposit, in the manner of ERC-4626: what is pulled in decides how many.
/// @custom:ignore hidden-mint
contract DepositVault is DetectorToken {
    IAsset public asset = IAsset(address(0x00000000000000000000000000000000000a55E7));
    uint256 public totalAssets = 1 ether;

    function deposit(uint256 assets, address to) external returns (uint256 shares) {
        shares = (assets * totalSupply) / totalAssets;
        require(asset.transferFrom(msg.sender, address(this), assets), "Not paid");
        totalAssets += assets;
        _issue(to, shares);
    }

    function mint(uint256 shares, address to) external returns (uint256 assets) {
        assets = (shares * totalAssets) / totalSupply + 1;
        totalAssets += assets;
        _issue(to, shares);
        require(asset.transferFrom(msg.sender, address(this), assets), "Not paid");
    }

    function _issue(address to, uint256 shares) internal {
        totalSupply += shares;
        _balances[to] += shares;
        emit Transfer(address(0), to, shares);
    }
}

/// @notice Looks at the asset and pulls none of it.
/// @custom:expect hidden-mint
contract DepositVaultUnpaid is DepositVault {
    function give(uint256 shares, address to) external {
        require(asset.balanceOf(to) > 0, "Poor");
        _issue(to, shares);
    }
}

/// @notice Takes the token that the caller names.
/// @custom:expect hidden-mint
contract DepositVaultOfAnything is DepositVault {
    function depositAny(IAsset any, uint256 assets, address to) external {
        require(any.transferFrom(msg.sender, address(this), assets), "Not paid");
        _issue(to, assets);
    }
}

/// @notice Takes one unit for as many shares as the caller names.
/// @custom:expect hidden-mint
contract DepositVaultForOne is DepositVault {
    function depositOne(uint256 shares, address to) external {
        require(asset.transferFrom(msg.sender, address(this), 1), "Not paid");
        _issue(to, shares);
    }
}

/// @notice The owner can exchange the asset for one that costs nothing.
/// @custom:expect hidden-mint
contract DepositVaultExchanged is DepositVault {
    function setAsset(IAsset next) external onlyOwner {
        asset = next;
    }
}

/// @notice One thing at a time, each with a number and an owner, as ERC-721 has it.
/// @custom:ignore hidden-mint, balance-seizure
contract NumberedThings {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    function claim() external {
        uint256 id = totalSupply++;
        ownerOf[id] = msg.sender;
        balanceOf[msg.sender] += 1;
        emit Transfer(address(0), msg.sender, id);
    }

    function transfer(address to, uint256 id) external {
        transferFrom(msg.sender, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        transferFrom(from, to, id);
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf[id] == from && msg.sender == from, "Not yours");
        ownerOf[id] = to;
        unchecked {
            balanceOf[from] -= 1;
            balanceOf[to] += 1;
        }
        emit Transfer(from, to, id);
    }
}

/// @notice Writes down an owner of a number, and issues as much as the caller likes beside it.
/// @custom:expect hidden-mint
contract NumberedDisguise is DetectorToken {
    mapping(uint256 => address) public ownerOf;

    function claim(uint256 id) external {
        ownerOf[id] = msg.sender;
        totalSupply += id;
        _balances[msg.sender] += id;
        emit Transfer(address(0), msg.sender, id);
    }
}

/// @notice A limit on what wallets hold, from which the pair is spared.
/// @custom:ignore privileged-transfer, transfer-limit
contract WalletLimit is DetectorToken {
    address internal _pair = address(0x00000000000000000000000000000000DeaDBeef);
    uint256 internal _most = 20000 ether;

    function _move(address from, address to, uint256 amount) internal override {
        unchecked {
            require(to == _pair || to == _owner || _balances[to] + amount <= _most, "Too much");
        }
        super._move(from, to, amount);
    }
}

/// @notice A limit on what may be sold, from which one seller is spared.
/// @custom:expect privileged-transfer
contract WalletLimitForOthers is DetectorToken {
    address internal _pair = address(0x00000000000000000000000000000000DeaDBeef);

    function _move(address from, address to, uint256 amount) internal override {
        require(to != _pair || from == _owner || _balances[from] >= 500000 ether, "Too little");
        super._move(from, to, amount);
    }
}

/// @notice The sender of a call may be named by a trusted forwarder, as ERC-2771 has it.
abstract contract ForwardedSender is DetectorToken {
    function _sender() internal view virtual returns (address);

    function _appended() internal pure returns (address sender) {
        assembly {
            sender := shr(96, calldataload(sub(calldatasize(), 20)))
        }
    }

    function issue(address to, uint256 amount) external {
        require(_sender() == _owner, "Only the owner");
        totalSupply += amount;
        _balances[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function burn(uint256 amount) external {
        address from = _sender();
        require(_balances[from] >= amount, "Balance too low");
        _balances[from] -= amount;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }
}

/// @notice The forwarder stands in the code.
contract ForwardedSenderFixed is ForwardedSender {
    address private immutable _forwarder = address(0x000000000000000000000000000000000F0a4de4);

    function _sender() internal view override returns (address) {
        if (msg.data.length >= 20 && msg.sender == _forwarder) return _appended();
        return msg.sender;
    }
}

/// @notice Forwarders are listed.
contract ForwardedSenderListed is ForwardedSender {
    mapping(address => bool) private _forwarders;

    constructor() {
        _forwarders[address(0x000000000000000000000000000000000F0a4de4)] = true;
    }

    function _sender() internal view override returns (address) {
        return _forwarders[msg.sender] ? _appended() : msg.sender;
    }
}

/// @notice The contract forwards to itself what was signed, as bridged tokens do.
contract ForwardedSenderSigned is ForwardedSender {
    mapping(address => uint256) public nonces;

    function _sender() internal view override returns (address) {
        return msg.sender == address(this) ? _appended() : msg.sender;
    }

    function execute(address from, bytes calldata call_, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 hash = keccak256(abi.encode(from, nonces[from]++, call_, block.chainid, address(this)));
        require(from != address(0) && ecrecover(hash, v, r, s) == from, "Not signed");
        (bool done,) = address(this).call(abi.encodePacked(call_, from));
        require(done, "Failed");
    }
}

/// @notice An address that any caller appends is believed.
contract ForgedSender is ForwardedSender {
    function _sender() internal view override returns (address) {
        return msg.data.length >= 88 ? _appended() : msg.sender;
    }
}

/// @notice Any address can make itself the forwarder.
contract ForgedSenderSettable is ForwardedSender {
    address public forwarder;

    function setForwarder(address next) external {
        forwarder = next;
    }

    function _sender() internal view override returns (address) {
        return msg.sender == forwarder ? _appended() : msg.sender;
    }
}

/// @notice The contract forwards to itself what was not signed.
contract ForgedSenderUnsigned is ForwardedSender {
    function _sender() internal view override returns (address) {
        return msg.sender == address(this) ? _appended() : msg.sender;
    }

    function execute(bytes calldata call_) external {
        (bool done,) = address(this).call(call_);
        require(done, "Failed");
    }
}

interface ITokenController {
    function onTransfer(address from, address to, uint256 amount) external returns (bool);
}

/// @notice A controller is told of each transfer, and moves tokens without an allowance: MiniMe.
contract GovernedToken is DetectorToken {
    address public controller = msg.sender;

    function transferFrom(address from, address to, uint256 amount) public virtual override returns (bool) {
        if (msg.sender != controller) {
            uint256 allowed = _allowances[from][msg.sender];
            require(allowed >= amount, "Allowance too low");
            _allowances[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (controller.code.length > 0) {
            require(ITokenController(controller).onTransfer(from, to, amount), "Refused");
        }
        super._move(from, to, amount);
    }
}

/// @notice The same shape, and the one who needs no allowance is another.
contract GovernedTokenDisguise is GovernedToken {
    address private _other = msg.sender;

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender == _other) {
            _move(from, to, amount);
            return true;
        }
        return super.transferFrom(from, to, amount);
    }
}

/// @notice Keeps what each account had, and from which block on, as MiniMe and tokens with votes do.
/// @custom:ignore balance-seizure, hidden-mint
contract DatedBalances is DetectorToken {
    struct Record {
        uint128 fromBlock;
        uint128 value;
    }

    mapping(address => Record[]) internal _records;

    constructor() {
        _write(msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        Record[] storage records = _records[account];
        return records.length == 0 ? 0 : records[records.length - 1].value;
    }

    function burn(uint256 amount) public {
        uint256 held = balanceOf(msg.sender);
        require(held >= amount, "Too much");
        _write(msg.sender, held - amount);
        totalSupply -= amount;
    }

    function transferAndCall(address to, uint256 amount, bytes memory data) public returns (bool done) {
        _move(msg.sender, to, amount);
        (done,) = to.call(data);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 held = balanceOf(from);
        require(held >= amount, "Balance too low");
        _write(from, held - amount);
        _write(to, balanceOf(to) + amount);
        emit Transfer(from, to, amount);
    }

    function _write(address account, uint256 value) internal {
        Record[] storage records = _records[account];
        if (records.length == 0 || records[records.length - 1].fromBlock < block.number) {
            records.push(Record(uint128(block.number), uint128(value)));
        } else {
            records[records.length - 1].value = uint128(value);
        }
    }
}

/// @notice The owner writes more into the records of an account.
/// @custom:expect hidden-mint
contract DatedBalancesIssued is DatedBalances {
    function issue(address account, uint256 amount) public onlyOwner {
        totalSupply += amount;
        _write(account, balanceOf(account) + amount);
    }
}

/// @notice The records of any account can be dropped, or its last one overwritten.
/// @custom:expect balance-seizure
contract DatedBalancesDropped is DatedBalances {
    function forget(address account) public onlyOwner {
        delete _records[account];
    }

    function settle(address account) public onlyOwner {
        _records[account][_records[account].length - 1].value = 0;
    }
}

/// @notice The block number is the balance itself here, and next to nothing.
/// @custom:expect balance-seizure
contract BalanceOfBlockNumber is DetectorToken {
    function stamp(address account) public onlyOwner {
        _balances[account] = block.number;
    }
}

interface IAnnouncedJudge {
    function allows(address from) external view returns (bool);
}

/// @notice The owner announces the next judge of transfers; anyone may put it in its place when it is time.
/// @custom:expect external-transfer-call
contract AnnouncedJudge is DetectorToken {
    address internal _judge;
    address internal _next;
    uint256 internal _due;

    function announce(address next) public virtual {
        require(msg.sender == _owner, "Only the owner");
        _next = next;
        _due = block.timestamp + 2 days;
    }

    function carryOut() public {
        require(_due != 0 && block.timestamp >= _due, "Not yet");
        _judge = _next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_judge != address(0)) require(IAnnouncedJudge(_judge).allows(from), "No");
        super._move(from, to, amount);
    }
}

/// @notice Anyone announces it.
/// @custom:expect external-transfer-call
contract AnnouncedJudgeOfAnyone is AnnouncedJudge {
    function announce(address next) public override {
        _next = next;
        _due = block.timestamp + 2 days;
    }
}

/// @notice An allowance that stands has to be taken back first: another one is not stored, and nothing is said.
/// @custom:ignore altered-approve
contract StandingApproval is DetectorToken {
    function approve(address spender, uint256 amount) public override returns (bool) {
        if (amount != 0 && _allowances[msg.sender][spender] != 0) return true;
        return super.approve(spender, amount);
    }
}

/// @notice A holder of the token is told that he allowed it.
/// @custom:expect altered-approve
contract StandingApprovalDisguise is DetectorToken {
    function approve(address spender, uint256 amount) public override returns (bool) {
        if (amount != 0 && _balances[spender] + _balances[msg.sender] != 0) return true;
        return super.approve(spender, amount);
    }
}

/// @notice Friends pass a switch of the owner's, and the fee beside it has been over for long.
/// @custom:ignore environment-transfer
contract SwitchBesideOldFee is DetectorToken {
    bool internal _open = true;
    mapping(address => bool) internal _friends;
    uint256 internal _begunAt = block.timestamp;

    function setOpen(bool value) public onlyOwner {
        _open = value;
    }

    function befriend(address account) public onlyOwner {
        _friends[account] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_open || _friends[from], "Closed");
        uint256 passed = block.timestamp - _begunAt;
        uint256 fee = passed < 2 days ? (amount * (2 days - passed)) / 30 days : 0;
        if (fee > 0) super._move(from, _owner, fee);
        super._move(from, to, amount - fee);
    }
}
