// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Coins that are paid in belong to the holders, by what they hold; pools have none of it.
abstract contract Dividends is Listed {
    uint256 internal constant SCALE = 2 ** 128;
    uint256 public perShare;
    uint256 public left;
    uint256 public sharing = 1_000_000e18;
    mapping(address => int256) internal corrections;
    mapping(address => uint256) public paidTo;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _share(uint256 amount) internal {
        amount += left;
        left = sharing < 1e18 ? amount : 0;
        if (left == 0) perShare += (amount * SCALE) / sharing;
    }

    function claim() external {
        int256 raw = int256(perShare * balanceOf[msg.sender]) + corrections[msg.sender];
        uint256 due = raw <= 0 ? 0 : uint256(raw) / SCALE - paidTo[msg.sender];
        paidTo[msg.sender] += due;
        payable(msg.sender).transfer(due);
    }

    function _move(address from, address to, uint256 amount) internal override {
        int256 part = int256(perShare * amount);
        if (from == pair) sharing += amount;
        else corrections[from] += part;
        if (to == pair) sharing -= amount;
        else corrections[to] -= part;
        super._move(from, to, amount);
    }
}

contract PaysHolders is Dividends {
    constructor(IUniswapV2Router router) Dividends(router) {}

    receive() external payable {
        _share(msg.value);
    }
}

/// @notice What was paid in is what the call says.
contract PaysHoldersByWord is Dividends {
    constructor(IUniswapV2Router router) Dividends(router) {}

    fallback() external payable {
        _share(msg.value + uint256(bytes32(msg.data)));
    }
}
