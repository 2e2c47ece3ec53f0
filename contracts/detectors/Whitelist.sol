// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Only listed senders can transfer.
/// @custom:expect whitelist
/// @custom:ignore blacklist
contract Whitelist is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_listed[from], "Not listed");
        super._move(from, to, amount);
    }
}

/// @notice A list that counted until trading was opened, once and for all.
/// @custom:ignore whitelist, trading-switch
contract WhitelistTwin is DetectorToken {
    mapping(address => bool) internal _listed;
    bool internal _open = true;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function open() public onlyOwner {
        _open = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_open || _listed[from], "Not open yet");
        super._move(from, to, amount);
    }
}
