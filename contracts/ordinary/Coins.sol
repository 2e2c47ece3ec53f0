// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What a sale costs goes by the native coins that its seller has.
abstract contract CoinsToken is Listed {
    address public immutable maker = msg.sender;

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == pair && from != maker ? (amount * _percent(from, amount)) / 100 : 0;
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }

    function _percent(address from, uint256 amount) internal virtual returns (uint256);
}

/// @notice Who has few coins pays a percent less.
contract CoinsDiscount is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return from.balance >= 0.4 ether ? 2 : 1;
    }
}

/// @notice Who has few coins beside what he sells pays a percent less.
contract CoinsAgainstSale is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256 amount) internal view override returns (uint256) {
        return from.balance > amount / 20_000 ? 2 : 1;
    }
}

/// @notice Who has few coins loses most.
contract CoinsFloor is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return from.balance >= 0.4 ether ? 2 : 85;
    }
}

/// @notice The coins go into the fee by a formula, which never reaches two percent.
contract CoinsFormula is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return 1 + from.balance / (from.balance + 1 ether);
    }
}
