// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The owner stops transfers.
/// @custom:expect trading-switch
/// @custom:ignore whitelist, blacklist
contract TradingSwitch is DetectorToken {
    bool internal _paused;

    function setPaused(bool value) public onlyOwner {
        _paused = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_paused, "Paused");
        super._move(from, to, amount);
    }
}

/// @notice Trading can be opened, and never closed.
/// @custom:ignore trading-switch
contract TradingSwitchTwin is DetectorToken {
    bool internal _open;

    function open() public onlyOwner {
        _open = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_open, "Not open yet");
        super._move(from, to, amount);
    }
}
