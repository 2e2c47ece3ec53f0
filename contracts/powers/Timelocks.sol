// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {SettableFee} from "./Fees.sol";

/// @notice Calls what was announced two days before.
contract HomeLock {
    address public admin;
    uint256 public wait = 2 days;
    mapping(bytes32 => uint256) public due;

    event Queued(bytes32 indexed id, address target, bytes data, uint256 at);
    event Done(bytes32 indexed id);

    constructor(address admin_) {
        admin = admin_;
    }

    modifier onlyAdmin() {
        require(msg.sender == admin, "Only the admin");
        _;
    }

    function setWait(uint256 next) public virtual {
        require(msg.sender == address(this), "Only itself");
        wait = next;
    }

    function queue(address target, bytes memory data) public virtual onlyAdmin returns (bytes32 id) {
        id = keccak256(abi.encode(target, data));
        due[id] = block.timestamp + wait;
        emit Queued(id, target, data, due[id]);
    }

    function cancel(bytes32 id) public onlyAdmin {
        delete due[id];
    }

    function run(address target, bytes memory data) public virtual onlyAdmin {
        bytes32 id = keccak256(abi.encode(target, data));
        require(due[id] != 0 && block.timestamp >= due[id], "Too early");
        delete due[id];
        _call(target, data);
        emit Done(id);
    }

    function _call(address target, bytes memory data) internal {
        (bool done,) = target.call(data);
        require(done, "Failed");
    }
}

/// @notice The admin sets how long is waited.
contract HomeLockShort is HomeLock {
    constructor(address admin_) HomeLock(admin_) {}

    function setWait(uint256 next) public override onlyAdmin {
        wait = next;
    }
}

/// @notice What was never announced was due at the beginning of time.
contract HomeLockOpen is HomeLock {
    constructor(address admin_) HomeLock(admin_) {}

    function run(address target, bytes memory data) public override onlyAdmin {
        require(block.timestamp >= due[keccak256(abi.encode(target, data))], "Too early");
        _call(target, data);
    }
}

/// @notice There is a way for haste.
contract HomeLockHasty is HomeLock {
    constructor(address admin_) HomeLock(admin_) {}

    function hurry(bytes32 id) public onlyAdmin {
        due[id] = block.timestamp;
    }
}

/// @notice Who announces says how long.
contract HomeLockChosen is HomeLock {
    constructor(address admin_) HomeLock(admin_) {}

    function queueFor(address target, bytes memory data, uint256 seconds_) public onlyAdmin {
        bytes32 id = keccak256(abi.encode(target, data));
        due[id] = block.timestamp + seconds_;
        emit Queued(id, target, data, due[id]);
    }
}

/// @notice Keeps what was announced, by number, in full.
contract NumberedLock {
    struct Plan {
        address target;
        uint64 due;
        bool isDone;
        bytes data;
    }

    address public immutable admin;
    Plan[] public plans;

    event Planned(uint256 indexed number, address target, bytes data, uint256 due);

    constructor(address admin_) {
        admin = admin_;
    }

    function plan(address target, bytes memory data) public returns (uint256 number) {
        require(msg.sender == admin, "Only the admin");
        number = plans.length;
        plans.push(Plan(target, uint64(block.timestamp + 3 days), false, data));
        emit Planned(number, target, data, block.timestamp + 3 days);
    }

    function enact(uint256 number) public {
        require(number < plans.length, "No such plan");
        Plan storage it = plans[number];
        require(!it.isDone && block.timestamp >= it.due, "Too early");
        it.isDone = true;
        (bool done,) = it.target.call(it.data);
        require(done, "Failed");
    }
}

interface FeeToken {
    function setFee(uint256 next) external;
}

/// @notice Sets one thing, two days after it was announced.
contract FeeLock {
    address public immutable admin;
    address public token;
    uint256 public nextFee;
    uint256 public due;

    event Announced(uint256 fee, uint256 due);

    constructor(address admin_, address token_) {
        admin = admin_;
        token = token_;
    }

    function announce(uint256 fee) public {
        require(msg.sender == admin, "Only the admin");
        nextFee = fee;
        due = block.timestamp + 48 hours;
        emit Announced(fee, due);
    }

    function enact() public {
        require(msg.sender == admin && due != 0 && block.timestamp > due, "Too early");
        due = 0;
        FeeToken(token).setFee(nextFee);
    }
}

/// @notice The fee can be changed after it was announced.
contract FeeLockSwapped is FeeLock {
    constructor(address admin_, address token_) FeeLock(admin_, token_) {}

    function correct(uint256 fee) public {
        require(msg.sender == admin, "Only the admin");
        nextFee = fee;
    }
}

/// @notice An unbounded fee in the hands of another contract.
abstract contract LockedFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = _lock();
    }

    function _lock() internal virtual returns (address);

    function handOver() public onlyOwner {
        owner = _next;
    }
}

contract HomeLockedFee is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new HomeLock(msg.sender));
    }
}

contract HomeLockedFeeShort is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new HomeLockShort(msg.sender));
    }
}

contract HomeLockedFeeOpen is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new HomeLockOpen(msg.sender));
    }
}

contract HomeLockedFeeHasty is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new HomeLockHasty(msg.sender));
    }
}

contract HomeLockedFeeChosen is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new HomeLockChosen(msg.sender));
    }
}

contract NumberedLockedFee is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new NumberedLock(msg.sender));
    }
}

contract FeeLockedFee is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new FeeLock(msg.sender, address(this)));
    }
}

contract FeeLockedFeeSwapped is LockedFee {
    constructor(address router_) LockedFee(router_) {}

    function _lock() internal override returns (address) {
        return address(new FeeLockSwapped(msg.sender, address(this)));
    }
}

/// @notice Its own calls, announced two days before, are the only way to close sells.
contract OwnCalls is Closing {
    mapping(bytes32 => uint256) public due;

    event Queued(bytes32 indexed id, bytes data, uint256 at);

    constructor(address router_) Closing(router_) {}

    function queue(bytes memory data) public onlyOwner {
        bytes32 id = keccak256(data);
        due[id] = block.timestamp + 2 days;
        emit Queued(id, data, due[id]);
    }

    function run(bytes memory data) public virtual onlyOwner {
        bytes32 id = keccak256(data);
        require(due[id] != 0 && block.timestamp >= due[id], "Too early");
        due[id] = 0;
        (bool done,) = address(this).call(data);
        require(done, "Failed");
    }

    function close(bool next) public {
        require(msg.sender == address(this), "Only itself");
        _closed = next;
    }
}

/// @notice The announcement is of no consequence.
contract OwnCallsAtOnce is OwnCalls {
    constructor(address router_) OwnCalls(router_) {}

    function run(bytes memory data) public override onlyOwner {
        due[keccak256(data)] = 0;
        (bool done,) = address(this).call(data);
        require(done, "Failed");
    }
}

/// @notice A closing that is announced two days before, for all to see.
contract OwnNotice is Closing {
    bool public next;
    uint256 public due;

    event Announced(bool next, uint256 due);

    constructor(address router_) Closing(router_) {}

    function announce(bool next_) public virtual onlyOwner {
        next = next_;
        due = block.timestamp + 2 days;
        emit Announced(next_, due);
    }

    function enact() public virtual onlyOwner {
        require(due != 0 && block.timestamp >= due, "Too early");
        _closed = next;
        due = 0;
    }
}

/// @notice What was announced can be exchanged for something else at the last moment.
contract OwnNoticeSwapped is OwnNotice {
    constructor(address router_) OwnNotice(router_) {}

    function correct(bool next_) public onlyOwner {
        next = next_;
    }
}

/// @notice The announcement is made in silence.
contract OwnNoticeSilent is OwnNotice {
    constructor(address router_) OwnNotice(router_) {}

    function announce(bool next_) public override onlyOwner {
        next = next_;
        due = block.timestamp + 2 days;
    }
}

/// @notice What was announced can be taken back at the last moment.
contract OwnNoticeTwin is OwnNotice {
    constructor(address router_) OwnNotice(router_) {}

    function forget() public onlyOwner {
        next = false;
        due = 0;
    }
}
