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

/// @notice A limit that is a constant, and one that is a share of what the sender has.
contract TransferLimitFixed is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= 1000000 ether, "Too much");
        require(amount <= (_balances[from] * 3) / 10, "A third at most");
        super._move(from, to, amount);
    }
}

/// @notice What an account has sent may not be more than what it was sent, and no function sets either.
contract TransferLimitSpent is DetectorToken {
    mapping(address => uint256) internal _received;
    mapping(address => uint256) internal _sent;

    function _move(address from, address to, uint256 amount) internal override {
        if (from != owner()) require(_sent[from] + amount <= _received[from], "More than was bought");
        super._move(from, to, amount);
        _sent[from] += amount;
        _received[to] += amount;
    }
}

/// @notice The same counts, which refuse nothing.
contract TransferLimitSpentTwin is DetectorToken {
    mapping(address => uint256) public received;
    mapping(address => uint256) public sent;
    uint256 public largest;

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        sent[from] += amount;
        received[to] += amount;
        if (sent[from] > received[from]) largest = amount;
    }
}

interface IQuotes {
    function worthOf(uint256 amount) external view returns (uint256);
}

/// @notice What is sent may be worth so much, which the owner sets.
/// @custom:expect transfer-limit
contract TransferLimitWorth is DetectorToken {
    IQuotes internal _quotes;
    mapping(address => uint256) internal _worth;
    uint256 public limit = 1 ether;

    function setLimit(IQuotes quotes, uint256 next) public onlyOwner {
        _quotes = quotes;
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _worth[from] += _quotes.worthOf(amount);
        require(_worth[from] <= limit, "Worth too much");
        super._move(from, to, amount);
    }
}

/// @notice The worth of what is sent is counted, and what the owner sets is for a report.
/// @custom:ignore transfer-limit
contract TransferLimitWorthTwin is DetectorToken {
    IQuotes internal _quotes;
    mapping(address => uint256) internal _worth;
    uint256 public target = 1 ether;
    uint256 public reachedAt;

    function setTarget(IQuotes quotes, uint256 next) public onlyOwner {
        _quotes = quotes;
        target = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _worth[from] += _quotes.worthOf(amount);
        if (_worth[from] > target) reachedAt = block.number;
        super._move(from, to, amount);
    }
}

/// @notice A limit that its owner can only lift.
/// @custom:ignore transfer-limit
contract LiftedLimit is DetectorToken {
    uint256 public limit = 1000000 ether;

    function lift(uint256 next) public onlyOwner {
        require(next >= limit, "Only up");
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= limit, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice A share of the supply that can only become larger, told in thousandths.
/// @custom:ignore transfer-limit
contract LiftedShare is DetectorToken {
    uint16 public share = 20;

    function lift(uint16 next) public onlyOwner {
        require(next > share, "Only up");
        share = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= (totalSupply * share) / 1000, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice A limit that can only be lowered, down to nothing.
/// @custom:expect transfer-limit
contract LoweredLimit is DetectorToken {
    uint256 public limit = 1000000 ether;

    function lower(uint256 next) public onlyOwner {
        require(next <= limit, "Only down");
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= limit, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice What a transfer has to leave can only become more.
/// @custom:expect transfer-limit
contract LiftedReserve is DetectorToken {
    uint256 public reserve;

    function lift(uint256 next) public onlyOwner {
        require(next >= reserve, "Only up");
        reserve = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= totalSupply / 50 - reserve, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice The least that is moved can only become more.
/// @custom:expect transfer-limit
contract LiftedLeast is DetectorToken {
    uint256 public least;

    function lift(uint256 next) public onlyOwner {
        require(next >= least, "Only up");
        least = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount >= least, "Too little");
        super._move(from, to, amount);
    }
}

/// @notice The same without a bound: multiplied by a large share, the supply fits into no word.
/// @custom:expect transfer-limit
contract LiftedShareBeyondWords is DetectorToken {
    uint256 public share = 20;

    function lift(uint256 next) public onlyOwner {
        require(next > share, "Only up");
        share = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= (totalSupply * share) / 1000, "Too much");
        super._move(from, to, amount);
    }
}
