// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice Says which account stands for a name; its owner decides.
contract Directory {
    address internal immutable _boss;
    mapping(bytes32 => address) public named;

    constructor(address boss, bytes32 name, address account) {
        _boss = boss;
        named[name] = account;
    }

    function set(bytes32 name, address account) public {
        require(msg.sender == _boss, "Not yours");
        named[name] = account;
    }
}

interface Judge {
    function isFree(address from, address to) external view returns (bool);
}

/// @notice Says yes to all.
contract MildJudge {
    function isFree(address, address) public pure returns (bool) {
        return true;
    }
}

/// @notice Each sell asks the contract that another one names.
contract NamedJudge is PowerToken {
    Directory internal immutable _directory = new Directory(msg.sender, "judge", address(new MildJudge()));

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to)) require(Judge(_directory.named("judge")).isFree(from, to), "Closed");
    }
}

/// @notice The name is told to all who ask, and no transfer asks.
contract NamedJudgeTwin is PowerToken {
    Directory internal immutable _directory = new Directory(msg.sender, "judge", address(1));

    constructor(address router_) PowerToken(router_) {}

    function judge() public view returns (address) {
        return _directory.named("judge");
    }
}

/// @notice Another contract says who may close sells: none so far.
contract NamedCloser is Closing {
    Directory internal immutable _directory = new Directory(msg.sender, "site", address(1));

    constructor(address router_) Closing(router_) {}

    function close(bool next) public {
        require(msg.sender == _directory.named(keccak256("closer")), "Not yours");
        _closed = next;
    }
}

/// @notice What the named account can do is count.
contract NamedCloserTwin is Closing {
    Directory internal immutable _directory = new Directory(msg.sender, "site", address(1));
    uint256 public counted;

    constructor(address router_) Closing(router_) {}

    function close(bool) public {
        require(msg.sender == _directory.named(keccak256("closer")), "Not yours");
        counted += 1;
    }
}

/// @notice Announced by a hash an hour before, then told.
contract AnnouncedClosing is Closing {
    mapping(bytes32 => uint256) internal _due;

    constructor(address router_) Closing(router_) {}

    function announce(bytes32 id) public onlyOwner {
        _due[id] = block.timestamp + 1 hours;
    }

    function enact(bool next, uint256 salt) public onlyOwner {
        uint256 due = _due[keccak256(abi.encode(next, salt))];
        require(due != 0 && block.timestamp >= due, "Too early");
        _closed = next;
    }
}

/// @notice A fee of five percent at most is announced in the same way.
contract AnnouncedClosingTwin is PowerToken {
    mapping(bytes32 => uint256) internal _due;
    uint256 internal _fee;

    constructor(address router_) PowerToken(router_) {}

    function announce(bytes32 id) public onlyOwner {
        _due[id] = block.timestamp + 1 hours;
    }

    function enact(uint256 fee, uint256 salt) public onlyOwner {
        require(fee <= 5, "Too much");
        uint256 due = _due[keccak256(abi.encode(fee, salt))];
        require(due != 0 && block.timestamp >= due, "Too early");
        _fee = fee;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _fee : 0;
    }
}

/// @notice The owner is none for a while, and comes back.
contract LentOwnership is Closing {
    address internal _former;

    constructor(address router_) Closing(router_) {}

    function lock() public onlyOwner {
        _former = owner;
        owner = address(0);
    }

    function unlock() public {
        require(msg.sender == _former, "Not yours");
        owner = _former;
    }

    function close(bool next) public virtual onlyOwner {
        _closed = next;
    }
}

/// @notice All that comes back is the right to open.
contract LentOwnershipTwin is LentOwnership {
    constructor(address router_) LentOwnership(router_) {}

    function close(bool) public override onlyOwner {
        _closed = false;
    }
}
