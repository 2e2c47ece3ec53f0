// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";
import {Owned} from "./shared/Owned.sol";
import {IUniswapV2Factory, IUniswapV2Router} from "./shared/UniswapV2.sol";

/// @title A token whose fee waits
/// @notice Takes 2 % of each trade at first. Three days after its launch it takes 90 % of each sell.
/// @custom:example rising-tax
/// @custom:tax buy 200, sell 200, sell after 3 days 9000
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract RisingTax is Erc20, Owned {
    uint256 public constant EARLY_TAX_BPS = 200;
    uint256 public constant LATE_SELL_TAX_BPS = 9_000;
    uint256 public constant GRACE = 3 days;

    address public immutable pair;
    uint256 public immutable launchTime = block.timestamp;

    constructor(IUniswapV2Router router) Erc20("Rising Tax Example", "RISE", 1_000_000) {
        pair = IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == owner || to == owner || (from != pair && to != pair)) return super._move(from, to, amount);
        bool late = block.timestamp > launchTime + GRACE;
        uint256 fee = (amount * (late && to == pair ? LATE_SELL_TAX_BPS : EARLY_TAX_BPS)) / 10_000;
        super._move(from, owner, fee);
        super._move(from, to, amount - fee);
    }
}
