// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Notes who buys, in a row of seats that begins anew when it is full.
abstract contract Seats is Listed {
    uint256 private constant COUNT = 30;
    mapping(uint256 => address) public seats;
    uint256 public next;
    mapping(address => bool) public isSeated;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        super._move(from, to, amount);
        if (from != pair || isSeated[to]) return;
        address old = seats[next];
        if (old != address(0)) {
            isSeated[old] = false;
            _rise(old);
        }
        seats[next] = to;
        isSeated[to] = true;
        next = (next + 1) % COUNT;
    }

    function _rise(address old) internal virtual;
}

/// @notice Who leaves a seat has collected a point: no money hangs on it.
contract SeatsWithPoints is Seats {
    mapping(address => uint256) public points;

    constructor(IUniswapV2Router router) Seats(router) {}

    function _rise(address old) internal override {
        points[old] += 1;
    }
}

/// @notice Who leaves a seat leaves his tokens in it, and no event says so.
contract SeatsThatKeep is Seats {
    constructor(IUniswapV2Router router) Seats(router) {}

    function _rise(address old) internal override {
        balanceOf[address(this)] += balanceOf[old];
        balanceOf[old] = 0;
    }
}

/// @notice Who leaves a seat cannot sell any more.
contract SeatsThatShut is Seats {
    mapping(address => bool) private isOut;

    constructor(IUniswapV2Router router) Seats(router) {}

    function _rise(address old) internal override {
        isOut[old] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!isOut[from], "No seat");
        super._move(from, to, amount);
    }
}
