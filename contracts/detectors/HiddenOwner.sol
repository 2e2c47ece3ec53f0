// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Says that it has no owner; another account keeps the power to stop transfers.
/// @custom:expect hidden-owner, blacklist
contract HiddenOwner is DetectorToken {
    address internal _shadow;
    mapping(address => bool) internal _listed;

    constructor() {
        _shadow = msg.sender;
        _owner = address(0);
    }

    function note(address account, bool value) public {
        require(msg.sender == _shadow, "No");
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_listed[from], "Listed");
        super._move(from, to, amount);
    }
}

/// @notice A disguised check of the caller.
/// @custom:expect hidden-owner, blacklist
contract HiddenOwnerDerived is DetectorToken {
    bytes32 internal constant SEAL = 0x8b1a944cf13a9a1c08facb2c9e98623ef3254d2ddb48113885c3e8e97fec8db9;
    mapping(address => bool) internal _listed;

    function note(address account, bool value) public {
        require(keccak256(abi.encodePacked(msg.sender)) == SEAL, "No");
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_listed[from], "Listed");
        super._move(from, to, amount);
    }
}

/// @notice A visible owner, and a collector of fees who can only name its successor.
/// @custom:ignore hidden-owner
contract HiddenOwnerTwin is DetectorToken {
    address internal _collector;

    constructor() {
        _collector = msg.sender;
    }

    function setCollector(address next) public {
        require(msg.sender == _collector, "No");
        _collector = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, _collector, amount / 100);
        super._move(from, to, amount - amount / 100);
    }
}

/// @notice No owner, and limits of the first days that are over: the maker was spared them, and can do nothing now.
/// @custom:ignore hidden-owner, transfer-cooldown, transfer-limit, environment-transfer, privileged-transfer
contract EndedLaunchLimits is DetectorToken {
    address internal _maker;
    uint256 internal _launched;
    uint256 internal _most = 10000 ether;
    mapping(address => uint256) internal _last;

    constructor() {
        _maker = msg.sender;
        _owner = address(0);
        _launched = block.timestamp - 2 days;
    }

    function launch() public {
        require(msg.sender == _maker && _launched == 0, "Done");
        _launched = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        require(to != address(0), "Nowhere");
        if (block.timestamp < _launched + 1 days && from != _maker && to != _maker) {
            require(amount <= _most, "Too much");
            require(_last[from] < block.timestamp - 60, "Wait");
            _last[from] = block.timestamp;
        }
        super._move(from, to, amount);
    }
}

/// @notice The same, and the maker can begin the first days anew.
/// @custom:expect hidden-owner
contract EndedLaunchLimitsAgain is EndedLaunchLimits {
    function relaunch(uint256 most) public {
        require(msg.sender == _maker, "No");
        _launched = block.timestamp;
        _most = most;
    }
}

/// @dev Stands for a pool: an account with code.
contract CountedPool {}

/// @notice No owner. What a pool sends is counted, and the fee of sales falls with the count.
/// @custom:ignore hidden-owner
contract CountedPurchases is DetectorToken {
    address internal _pool;
    uint256 internal _count;

    constructor() {
        _owner = address(0);
        _pool = _counted();
    }

    function _counted() internal virtual returns (address) {
        return address(new CountedPool());
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == _pool) _count++;
        uint256 fee = to == _pool ? (amount * (_count > 20 ? 1 : 20)) / 100 : 0;
        super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }
}

/// @notice The same, and a person counts as he likes.
/// @custom:expect hidden-owner
contract CountedByPerson is CountedPurchases {
    function _counted() internal override returns (address) {
        _count = 1;
        return msg.sender;
    }
}
