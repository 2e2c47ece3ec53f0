// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";

/// @notice An ordinary token with a pair. Each fixture adds what some honest kind of token has, or what looks like it.
abstract contract Listed is Erc20 {
    address public immutable pair;

    constructor(IUniswapV2Router router) Erc20("Orchard", "ORCH", 1_000_000) {
        pair = IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
    }

    function _burn(address from, uint256 amount) internal {
        balanceOf[from] -= amount;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }
}
