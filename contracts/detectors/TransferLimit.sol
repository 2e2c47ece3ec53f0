// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The largest transfer can be set to nothing.
/// @custom:expect transfer-limit
contract TransferLimit is DetectorToken {
    uint256 public limit = 1000000 ether;

    function setLimit(uint256 next) public onlyOwner {
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= limit, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice A limit of at least one percent of the supply.
/// @custom:ignore transfer-limit
contract TransferLimitTwin is DetectorToken {
    uint256 public limit = 1000000 ether;

    function setLimit(uint256 next) public onlyOwner {
        require(next >= totalSupply / 100, "One percent at least");
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= limit, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice The limit is a share of the supply, multiplied by a function that answers early for zero.
/// @custom:expect transfer-limit
contract TransferLimitShare is DetectorToken {
    uint16 internal _share = 50;

    function setShare(uint16 value) public onlyOwner {
        _share = value;
    }

    function multiply(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) return 0;
        uint256 product = a * b;
        require(product / a == b, "Too large");
        return product;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= multiply(totalSupply, _share) / 10000, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice What an account may send is counted, and what it may count to is set.
/// @custom:expect transfer-limit
contract TransferLimitQuota is DetectorToken {
    mapping(address => uint256) internal _quotas;

    function allow(address account, uint256 amount) public onlyOwner {
        _quotas[account] = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 left = _quotas[from];
        require(left >= amount, "Quota used up");
        _quotas[from] = left - amount;
        super._move(from, to, amount);
    }
}

/// @notice What an account has sent is counted, for a report.
/// @custom:ignore transfer-limit
contract TransferLimitQuotaTwin is DetectorToken {
    mapping(address => uint256) internal _sent;

    function reset(address account) public onlyOwner {
        _sent[account] = 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 sent = _sent[from] + amount;
        require(sent >= amount, "Too large");
        _sent[from] = sent;
        super._move(from, to, amount);
    }
}

/// @notice Each account locks as much of its own as it likes.
/// @custom:ignore transfer-limit
contract OwnLock is DetectorToken {
    mapping(address => uint256) public locked;

    function lock(uint256 amount) public {
        locked[msg.sender] = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_balances[from] >= locked[from] + amount, "Locked");
        super._move(from, to, amount);
    }
}

/// @notice Anyone locks what others have.
/// @custom:expect transfer-limit
contract LockOfOthers is DetectorToken {
    mapping(address => uint256) public locked;

    function lock(address account, uint256 amount) public {
        locked[account] = amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_balances[from] >= locked[from] + amount, "Locked");
        super._move(from, to, amount);
    }
}
