// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice A holder of much can sell nothing.
contract BalanceDependentSell is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(_held[from] < 20000 ether, "Locked");
        super._move(from, to, amount);
    }
}

/// @notice A holder of little can sell nothing.
contract BalanceDependentSellSmall is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(_held[from] >= 20000 ether, "Locked");
        super._move(from, to, amount);
    }
}

/// @notice Only those with much native coin can sell.
contract BalanceDependentSellNative is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(from.balance >= 400 ether, "Locked");
        super._move(from, to, amount);
    }
}

/// @notice No holder may come to hold more than two percent of the supply.
contract BalanceDependentSellTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to) && to != pair) require(_held[to] + amount <= 20000 ether, "Too much for a wallet");
        super._move(from, to, amount);
    }
}
