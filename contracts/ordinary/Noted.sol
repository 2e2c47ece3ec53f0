// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Owned} from "../shared/Owned.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice The first contract that its maker sends to before the launch is the market; a lock lies in the same word.
abstract contract Noted is Listed, Owned {
    address public market;
    bool public launched;
    bool private isBusy;

    constructor(IUniswapV2Router router) Listed(router) {}

    function open() external onlyOwner {
        launched = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (!launched) {
            require(from == owner, "Not launched");
            if (market == address(0) && to.code.length > 0) market = to;
        }
        if (isBusy || from == owner || to == owner || from == address(this)) return super._move(from, to, amount);
        uint256 fee;
        if (from == market) fee = amount / 50;
        else if (to == market) {
            fee = amount / 50;
            uint256 kept = balanceOf[address(this)];
            if (kept >= totalSupply / 1_000) {
                isBusy = true;
                _burn(address(this), kept / 2);
                isBusy = false;
            }
        } else _other(from, to);
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }

    function _other(address from, address to) internal view virtual;
}

contract MarketNoted is Noted {
    constructor(IUniswapV2Router router) Noted(router) {}

    function _other(address, address) internal pure override {}
}

/// @notice The maker takes the launch back, notes another market, and none but that one can be sold to.
contract MarketNotedAgain is Noted {
    constructor(IUniswapV2Router router) Noted(router) {}

    function close() external onlyOwner {
        launched = false;
        market = address(0);
    }

    function _other(address, address to) internal view override {
        require(to.code.length == 0, "Another market");
    }
}
