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

/// @notice Notes an address for two others, under both orders, and never another one.
contract PairNotes {
    mapping(address => mapping(address => address)) public noted;

    function note(address one, address other, address value) external {
        require(noted[one][other] == address(0), "noted");
        noted[one][other] = value;
        noted[other][one] = value;
    }
}

/// @notice As {PairNotes}, but the second entry is one of the caller's choice. The first is of two contracts.
contract PairsOfNotes {
    mapping(address => mapping(address => address)) public noted;

    function note(address one, address other, address third, address fourth, address value) external {
        require(noted[one][other] == address(0), "noted");
        require(one != other && one.code.length > 0 && other.code.length > 0, "no pair");
        noted[one][other] = value;
        noted[third][fourth] = value;
    }
}

interface INoted {
    function noted(address one, address other) external view returns (address value);
}

/// @notice Sells where what was noted at first is noted still.
abstract contract AsksNotes is Listed {
    address internal constant ONE = 0x00000000000000000000000000000000000c0dE1;
    address internal constant OTHER = 0x00000000000000000000000000000000000C0dE2;
    INoted internal immutable notes;

    constructor(IUniswapV2Router router, address notes_) Listed(router) {
        notes = INoted(notes_);
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || notes.noted(ONE, OTHER) == pair, "other note");
        super._move(from, to, amount);
    }
}

contract AsksKeptNotes is AsksNotes {
    constructor(IUniswapV2Router router) AsksNotes(router, address(new PairNotes())) {
        PairNotes(address(notes)).note(ONE, OTHER, pair);
    }
}

contract AsksOpenNotes is AsksNotes {
    constructor(IUniswapV2Router router) AsksNotes(router, address(new PairsOfNotes())) {
        PairsOfNotes(address(notes)).note(router.WETH(), address(router), ONE, OTHER, pair);
    }
}
