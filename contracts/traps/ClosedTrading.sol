// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice A switch for sells alone, which is off.
contract ClosedTrading is TrapToken {
    bool public sellsAreOpen;

    constructor(address router_) TrapToken(router_) {}

    function openSells(bool open) public onlyOwner {
        sellsAreOpen = open;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(sellsAreOpen, "Sells are closed");
        super._move(from, to, amount);
    }
}

/// @notice Trading has not begun: no one can buy either.
contract ClosedTradingWholly is TrapToken {
    bool public isOpen;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) require(isOpen, "Trading is not open");
        super._move(from, to, amount);
    }
}

/// @notice All transfers can be stopped, and are not.
contract ClosedTradingTwin is TrapToken {
    bool public paused;

    constructor(address router_) TrapToken(router_) {}

    function setPaused(bool next) public onlyOwner {
        paused = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!paused, "Paused");
        super._move(from, to, amount);
    }
}
