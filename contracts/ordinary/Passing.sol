// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What trades pay changes with the blocks since the launch, and is kept for a sale of fees.
abstract contract PaysByBlocks is Listed {
    uint256 internal immutable _launch = block.number;
    address private immutable _maker = msg.sender;
    uint256 private _trades;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent() internal view virtual returns (uint256);

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee;
        if (from != _maker && to != _maker) {
            if (from == pair || to == pair) fee = (amount * _percent()) / 100;
            if (from == pair) _trades++;
            if (to == pair && _trades > 10 && balanceOf[address(this)] > 0) allowance[address(this)][_maker] = balanceOf[address(this)];
        }
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }
}

contract PaysLess is PaysByBlocks {
    constructor(IUniswapV2Router router) PaysByBlocks(router) {}

    function _percent() internal view override returns (uint256) {
        uint256 steps = (block.number - _launch) / 20_000;
        return steps >= 5 ? 1 : 6 - steps;
    }
}

contract PaysMore is PaysByBlocks {
    constructor(IUniswapV2Router router) PaysByBlocks(router) {}

    function _percent() internal view override returns (uint256) {
        uint256 steps = (block.number - _launch) / 4;
        return steps >= 90 ? 98 : 8 + steps;
    }
}

/// @notice A wallet holds a fiftieth at most on the first day.
abstract contract LimitOfDay is Listed {
    uint64 internal _begin = uint64(block.timestamp);

    constructor(IUniswapV2Router router) Listed(router) {}

    function largest() public view returns (uint256) {
        return block.timestamp >= uint256(_begin) + 1 days ? totalSupply : totalSupply / 50;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (to != pair && from == pair) require(balanceOf[to] + amount <= largest(), "too much");
        super._move(from, to, amount);
    }
}

contract LimitOfDayEnds is LimitOfDay {
    constructor(IUniswapV2Router router) LimitOfDay(router) {}
}

/// @notice Anyone lets the day begin anew, and a sale is held to the limit then.
contract LimitOfDayAgain is LimitOfDay {
    constructor(IUniswapV2Router router) LimitOfDay(router) {}

    function again() external {
        _begin = uint64(block.timestamp);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && balanceOf[to] > 0) require(balanceOf[to] + amount <= largest() * 30, "too much");
        super._move(from, to, amount);
    }
}

interface IReserves {
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

/// @notice The pool's own transfers note the price, for who reads it: the highest, and how often it was one.
contract NotesHighest is Listed {
    uint256 public highest;
    uint256[4] public marks = [uint256(1e12), 1e13, 1e14, 1e15];
    uint256 public reached;

    event Highest(uint256 price);

    constructor(IUniswapV2Router router) Listed(router) {}

    function burn(uint256 amount) external {
        _move(msg.sender, address(0xdEaD), amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from == pair || to == pair) _note();
    }

    function _note() private {
        (uint112 a, uint112 b, ) = IReserves(pair).getReserves();
        bool isFirst = IReserves(pair).token0() == address(this);
        (uint256 tokens, uint256 coins) = isFirst ? (uint256(a), uint256(b)) : (uint256(b), uint256(a));
        if (tokens == 0) return;
        uint256 price = (coins * 1e18) / tokens;
        if (price > highest) {
            highest = price;
            emit Highest(price);
        }
        uint256 i = reached;
        while (i < marks.length && price >= marks[i]) i++;
        reached = i;
    }
}
