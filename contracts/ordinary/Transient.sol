// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Transfers are locked against re-entry, in a word that lasts as long as the transaction.
contract TransientLock is Listed {
    bool private transient isLocked;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _isClosed(address from, address to) internal view virtual returns (bool) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isClosed(from, to)) isLocked = true;
        require(!isLocked, "Locked");
        isLocked = true;
        super._move(from, to, amount);
        isLocked = false;
    }
}

/// @notice The owner can close the lock before a sale comes to it.
contract TransientSwitch is TransientLock {
    address private immutable owner = msg.sender;
    bool private isOn;

    constructor(IUniswapV2Router router) TransientLock(router) {}

    function turn(bool on) external {
        require(msg.sender == owner, "Only the owner");
        isOn = on;
    }

    function _isClosed(address from, address to) internal view override returns (bool) {
        return isOn && to == pair && from != owner;
    }
}

/// @notice What is sold has to be bought in the same transaction, as programs do that only try.
contract TransientRound is Listed {
    address private transient buyer;
    bool private isLive;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(!isLive || to != pair || from == buyer, "Apart");
        super._move(from, to, amount);
        if (from != pair) return;
        isLive = true;
        buyer = to;
    }
}
