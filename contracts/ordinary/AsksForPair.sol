// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IPairNotes {
    function getPair(address tokenA, address tokenB) external view returns (address pair);
}

/// @notice Asks the exchange in each transfer which pair it has.
abstract contract AsksForPair is Listed {
    IPairNotes private immutable _factory;
    address private immutable _native;

    constructor(IUniswapV2Router router) Listed(router) {
        _factory = IPairNotes(router.factory());
        _native = router.WETH();
    }

    function _pairWith(address other) internal view returns (address) {
        return _factory.getPair(address(this), other);
    }

    function _nativePair() internal view returns (address) {
        return _pairWith(_native);
    }
}

/// @notice No wallet but the pair holds more than a part, and the exchange makes no other pair of the two.
contract SmallWallets is AsksForPair {
    constructor(IUniswapV2Router router) AsksForPair(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        require(to == _nativePair() || balanceOf[to] <= totalSupply / 20, "too much");
    }
}

/// @notice Anyone can have the exchange make a pair with another token: then no sale goes through.
contract StopsBySecondPair is AsksForPair {
    address private constant OTHER = 0x00000000000000000000000000000000000c0De0;

    constructor(IUniswapV2Router router) AsksForPair(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || _pairWith(OTHER) == address(0), "paired");
        super._move(from, to, amount);
    }
}
