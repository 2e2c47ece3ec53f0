// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {DetectorToken} from "../DetectorToken.sol";

/// @notice Tokens that are sent with a date before which they stay, in a list of each account; balances show them.
abstract contract Locks is DetectorToken {
    struct Lock {
        uint256 amount;
        uint256 until;
    }

    mapping(address => Lock[]) internal _locks;

    function balanceOf(address account) public view virtual override returns (uint256 sum) {
        sum = _balances[account];
        for (uint256 i; i < _locks[account].length; ++i) sum += _locks[account][i].amount;
    }
}

/// @notice Holders send locked tokens of their own.
/// @custom:ignore balance-seizure
contract LockedInAList is Locks {
    function sendLocked(address to, uint256 amount, uint256 until) external {
        require(_balances[msg.sender] >= amount);
        _balances[msg.sender] -= amount;
        _locks[to].push(Lock(amount, until));
    }
}

/// @notice The owner replaces the last lock of an account.
/// @custom:expect balance-seizure
contract LastLockReplaced is Locks {
    function replace(address account, uint256 amount) external {
        require(msg.sender == _owner);
        _locks[account][_locks[account].length - 1].amount = amount;
    }
}
