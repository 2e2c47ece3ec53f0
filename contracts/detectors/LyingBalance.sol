// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Shows a balance to the holder alone, and nothing to others.
/// @custom:expect lying-balance
contract LyingBalance is DetectorToken {
    function balanceOf(address account) public view override returns (uint256) {
        if (msg.sender == _owner) return totalSupply;
        return _balances[account];
    }
}

/// @notice Balances of two kinds of accounts, kept in two mappings, as reflection tokens do.
/// @custom:ignore lying-balance
contract LyingBalanceTwin is DetectorToken {
    mapping(address => bool) internal _excluded;
    mapping(address => uint256) internal _fixed;

    function balanceOf(address account) public view override returns (uint256) {
        if (_excluded[account]) return _fixed[account];
        return _balances[account];
    }
}
