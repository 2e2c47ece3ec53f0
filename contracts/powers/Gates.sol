// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

interface TransferJudge {
    function isFine(address from, address to, uint256 amount) external view returns (bool);
}

interface AccountJudge {
    function isShutOut(address account) external view returns (bool);
}

/// @notice The owner stops all sells but its own; purchases go on.
contract ClosableSells is PowerToken {
    bool public closed;

    constructor(address router_) PowerToken(router_) {}

    function setClosed(bool next) public onlyOwner {
        closed = next;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!closed || !_isSell(from, to), "Closed");
    }
}

/// @notice Sells can only be opened, and are.
contract ClosableSellsTwin is PowerToken {
    bool public opened = true;

    constructor(address router_) PowerToken(router_) {}

    function open() public onlyOwner {
        opened = true;
    }

    function _check(address from, address to, uint256) internal view override {
        require(opened || !_isSell(from, to), "Closed");
    }
}

/// @notice The owner can stop everybody's transfers, its own included, and let them go on.
contract Pausable is PowerToken {
    bool public paused;

    constructor(address router_) PowerToken(router_) {}

    function pause() public onlyOwner {
        paused = true;
    }

    function unpause() public onlyOwner {
        paused = false;
    }

    function _check(address, address, uint256) internal view override {
        require(!paused, "Paused");
    }
}

/// @notice The same, but the owner goes on while all others stand still.
contract PausableForOthers is PowerToken {
    bool public paused;

    constructor(address router_) PowerToken(router_) {}

    function pause() public onlyOwner {
        paused = true;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!paused || from == owner || to == owner, "Paused");
    }
}

/// @notice The owner refuses single accounts.
contract Blacklist is PowerToken {
    mapping(address => bool) public refused;

    constructor(address router_) PowerToken(router_) {}

    function refuse(address account, bool next) public onlyOwner {
        refused[account] = next;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!refused[from] && !refused[to], "Refused");
    }
}

/// @notice The owner can demand that sellers be listed.
contract SellWhitelist is PowerToken {
    bool public listedOnly;
    mapping(address => bool) public listed;

    constructor(address router_) PowerToken(router_) {}

    function demandList(bool next) public onlyOwner {
        listedOnly = next;
    }

    function list(address[] memory accounts, bool next) public onlyOwner {
        for (uint256 i = 0; i < accounts.length; i++) listed[accounts[i]] = next;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!listedOnly || !_isSell(from, to) || listed[from], "Not listed");
    }
}

/// @notice The owner lowers what one sell may move, down to nothing.
contract SellLimit is PowerToken {
    uint256 public most = 1000000 ether;

    constructor(address router_) PowerToken(router_) {}

    function setMost(uint256 next) public onlyOwner {
        most = next;
    }

    function _check(address from, address to, uint256 amount) internal view override {
        require(!_isSell(from, to) || amount <= most, "Too much");
    }
}

/// @notice The same, down to a hundredth of the supply.
contract SellLimitTwin is PowerToken {
    uint256 public most = 1000000 ether;

    constructor(address router_) PowerToken(router_) {}

    function setMost(uint256 next) public onlyOwner {
        require(next >= totalSupply / 100, "Too little");
        most = next;
    }

    function _check(address from, address to, uint256 amount) internal view override {
        require(!_isSell(from, to) || amount <= most, "Too much");
    }
}

/// @notice The limit counts only once the owner has switched limits on.
contract LimitBehindSwitch is PowerToken {
    bool public limited;
    uint256 public most = 1000000 ether;

    constructor(address router_) PowerToken(router_) {}

    function setLimited(bool next) public onlyOwner {
        limited = next;
    }

    function setMost(uint256 next) public onlyOwner {
        most = next;
    }

    function _check(address from, address to, uint256 amount) internal view override {
        if (limited) require(!_isSell(from, to) || amount <= most, "Too much");
    }
}

/// @notice The owner sets how long a buyer has to wait.
contract SellCooldown is PowerToken {
    uint256 public cooldown;
    mapping(address => uint256) internal _boughtAt;

    constructor(address router_) PowerToken(router_) {}

    function setCooldown(uint256 next) public onlyOwner {
        cooldown = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_isSell(from, to) || block.timestamp - _boughtAt[from] >= cooldown, "Too early");
        if (from == pair) _boughtAt[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice The same, five minutes at most.
contract SellCooldownTwin is PowerToken {
    uint256 public cooldown;
    mapping(address => uint256) internal _boughtAt;

    constructor(address router_) PowerToken(router_) {}

    function setCooldown(uint256 next) public onlyOwner {
        require(next <= 300, "Too long");
        cooldown = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_isSell(from, to) || block.timestamp - _boughtAt[from] >= cooldown, "Too early");
        if (from == pair) _boughtAt[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice The owner sets the highest gas price that a sell may pay.
contract GasPriceLimit is PowerToken {
    uint256 public highest = 500000 gwei;

    constructor(address router_) PowerToken(router_) {}

    function setHighest(uint256 next) public onlyOwner {
        highest = next;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!_isSell(from, to) || tx.gasprice <= highest, "Too dear");
    }
}

interface TransferGuard {
    function check(address from, address to) external view;
}

/// @notice Each sell asks a contract that the owner names.
contract CallbackTrap is PowerToken {
    TransferGuard public guard;

    constructor(address router_) PowerToken(router_) {}

    function setGuard(TransferGuard next) public onlyOwner {
        guard = next;
    }

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to) && address(guard) != address(0)) guard.check(from, to);
    }
}

/// @notice The same, but a guard that fails is passed by.
contract CallbackTrapTwin is PowerToken {
    TransferGuard public guard;

    constructor(address router_) PowerToken(router_) {}

    function setGuard(TransferGuard next) public onlyOwner {
        guard = next;
    }

    function _check(address from, address to, uint256) internal view override {
        if (!_isSell(from, to)) return;
        (bool fine,) = address(guard).staticcall(abi.encodeWithSelector(guard.check.selector, from, to));
        fine;
    }
}

/// @notice An account that the owner gave any can sell no more.
contract MarkingGift is PowerToken {
    mapping(address => bool) internal _marked;

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address, uint256) internal view override {
        require(!_marked[from], "Marked");
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from == owner && to != pair) _marked[to] = true;
    }
}

/// @notice Keeps a list of those that the owner gave any, which bars none.
contract MarkingGiftTwin is PowerToken {
    mapping(address => bool) internal _marked;
    uint256 public moves;

    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (_marked[from]) moves += 1;
        if (from == owner && to != pair) _marked[to] = true;
    }
}

/// @notice An account can ask to be left alone: what is sent to it comes back.
contract OptOut is PowerToken {
    mapping(address => bool) internal _out;

    constructor(address router_) PowerToken(router_) {}

    function optOut() public {
        _out[msg.sender] = true;
    }

    function _check(address from, address to, uint256) internal view override {
        require(from == pair || !_out[to], "Wants none");
    }
}

/// @notice An account can ask to be taxed: a tenth of what is sent to it.
contract OptTax is PowerToken {
    mapping(address => bool) internal _generous;

    constructor(address router_) PowerToken(router_) {}

    function payTax(bool next) public {
        _generous[msg.sender] = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return from != pair && _generous[to] ? 10 : 0;
    }
}

/// @notice The trap beside them: any address can shut out another.
contract OptOutOthers is PowerToken {
    mapping(address => bool) internal _out;

    constructor(address router_) PowerToken(router_) {}

    function optOut(address who) public {
        _out[who] = true;
    }

    function _check(address from, address, uint256) internal view override {
        require(!_out[from], "Wants none");
    }
}

/// @notice Any address can stop all transfers between accounts.
contract OpenTransferStop is PowerToken {
    bool internal _stopped;

    constructor(address router_) PowerToken(router_) {}

    function stop(bool next) public {
        _stopped = next;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!_stopped || from == pair || to == pair || from == owner, "Stopped");
    }
}

/// @notice The owner bans callers one by one, the exchange's router among them.
contract CallerBan is PowerToken {
    mapping(address => bool) internal _banned;

    constructor(address router_) PowerToken(router_) {}

    function ban(address who, bool next) public onlyOwner {
        _banned[who] = next;
    }

    function _check(address, address, uint256) internal view override {
        require(!_banned[msg.sender], "Banned");
    }
}

/// @notice The owner names a contract that is asked about each transfer, by both ends.
contract JudgedTransfers is PowerToken {
    TransferJudge internal _judge;

    constructor(address router_) PowerToken(router_) {}

    function setJudge(TransferJudge next) public onlyOwner {
        _judge = next;
    }

    function _check(address from, address to, uint256 amount) internal view override {
        if (address(_judge) != address(0)) require(_judge.isFine(from, to, amount), "Not fine");
    }
}

/// @notice The same, and it is asked about each end for itself whether it is shut out.
contract JudgedAccounts is PowerToken {
    AccountJudge internal _judge;

    constructor(address router_) PowerToken(router_) {}

    function setJudge(AccountJudge next) public onlyOwner {
        _judge = next;
    }

    function _check(address from, address to, uint256) internal view override {
        if (address(_judge) == address(0)) return;
        require(!_judge.isShutOut(from) && !_judge.isShutOut(to), "Shut out");
    }
}

/// @notice What the named contract says is noted, and stops nothing.
contract HeardTransfers is PowerToken {
    TransferJudge internal _judge;

    constructor(address router_) PowerToken(router_) {}

    function setJudge(TransferJudge next) public onlyOwner {
        _judge = next;
    }

    function _check(address from, address to, uint256 amount) internal view override {
        if (address(_judge) == address(0)) return;
        (bool fine,) = address(_judge).staticcall(abi.encodeWithSelector(_judge.isFine.selector, from, to, amount));
        fine;
    }
}
