// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";

/// @title A token without an owner that lets forty sales through
/// @notice No owner, no fee and no date: now, in a day and in a week it is bought and sold. After the fortieth sale none goes through.
/// @custom:example forty-sales
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract FortySales is Erc20 {
    uint256 private sales;

    error Closed();

    constructor() Erc20("Forty Sales Example", "FORTY", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to.code.length > 0) {
            if (sales >= 40) revert Closed();
            sales += 1;
        }
        super._move(from, to, amount);
    }
}
