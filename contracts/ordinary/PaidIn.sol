// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Coins that anyone pays in are counted, and transfers compute with them.
abstract contract PaidIn is Listed {
    uint256 public pooled;

    constructor(IUniswapV2Router router) Listed(router) {}

    receive() external payable {
        pooled += msg.value;
    }
}

/// @notice No one has so many coins that the product does not fit.
contract WeighsByCoins is PaidIn {
    uint256 public weight;

    constructor(IUniswapV2Router router) PaidIn(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        weight = pooled * amount;
        super._move(from, to, amount);
    }
}

/// @notice A few are enough to end all sales.
contract EndsByCoins is PaidIn {
    constructor(IUniswapV2Router router) PaidIn(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || pooled < 5 ether, "full");
        super._move(from, to, amount);
    }
}
