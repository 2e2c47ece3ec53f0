// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";
import {Owned} from "./shared/Owned.sol";
import {IUniswapV2Factory, IUniswapV2Router} from "./shared/UniswapV2.sol";

/// @title A token that only its owner can sell
/// @notice Anyone may buy. All but the owner are refused when they move tokens into the pool.
/// @custom:example sell-blocked
/// @custom:reverts sell "Trading is not open for you"
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract SellBlocked is Erc20, Owned {
    address public immutable pair;

    constructor(IUniswapV2Router router) Erc20("Sell Blocked Example", "STUCK", 1_000_000) {
        pair = IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || from == owner, "Trading is not open for you");
        super._move(from, to, amount);
    }
}
