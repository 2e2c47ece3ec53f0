// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Listed senders cannot transfer.
/// @custom:expect blacklist
/// @custom:ignore whitelist, trading-switch
contract Blacklist is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_listed[from], "Listed");
        super._move(from, to, amount);
    }
}

/// @notice A list that only makes transfers cheaper.
/// @custom:ignore blacklist, whitelist
contract BlacklistTwin is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_listed[from]) {
            super._move(from, to, amount);
        } else {
            super._move(from, to, amount - amount / 100);
            super._move(from, address(this), amount / 100);
        }
    }
}
