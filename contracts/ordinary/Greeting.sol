// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Who gets tokens gives up a fiftieth of all it has then.
abstract contract Greeting is Listed {
    mapping(address => bool) public isGreeted;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to == pair || _isSpared(to)) return;
        isGreeted[to] = true;
        _burn(to, balanceOf[to] / 50);
    }

    function _isSpared(address account) internal view virtual returns (bool);
}

contract GreetsOnce is Greeting {
    constructor(IUniswapV2Router router) Greeting(router) {}

    function _isSpared(address account) internal view override returns (bool) {
        return isGreeted[account];
    }
}

/// @notice Whatever comes, and be it nothing.
contract GreetsAgain is Greeting {
    constructor(IUniswapV2Router router) Greeting(router) {}

    function _isSpared(address) internal pure override returns (bool) {
        return false;
    }
}
