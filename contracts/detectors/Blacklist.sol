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

/// @notice Transfers of listed senders end well and move nothing.
/// @custom:expect blacklist
/// @custom:ignore whitelist
contract BlacklistSilent is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (_listed[msg.sender]) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (_listed[from]) return true;
        return super.transferFrom(from, to, amount);
    }
}

/// @notice Nothing moves where nothing is asked for, and a list decides who is told of it.
/// @custom:ignore blacklist, whitelist, trading-switch
contract BlacklistSilentTwin is DetectorToken {
    mapping(address => bool) internal _listed;
    uint256 internal _seen;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (amount == 0) return true;
        _move(msg.sender, to, amount);
        if (_listed[to]) return true;
        _seen = block.number;
        return true;
    }
}
