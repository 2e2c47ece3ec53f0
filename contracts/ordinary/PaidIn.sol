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

/// @notice Coins that anyone pays in are shared by what each account holds.
abstract contract PaidPerToken is Listed {
    uint256 internal constant MAGNITUDE = 2 ** 128;

    uint256 public perToken;
    mapping(address => int256) internal corrections;

    constructor(IUniswapV2Router router) Listed(router) {}

    receive() external payable {
        perToken += msg.value * MAGNITUDE / totalSupply;
    }

    function collect() external {
        int256 due = int256(perToken * balanceOf[msg.sender]) + corrections[msg.sender];
        corrections[msg.sender] -= due;
        (bool isPaid,) = msg.sender.call{value: uint256(due) / MAGNITUDE}("");
        require(isPaid, "not paid");
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        super._move(from, to, amount);
        int256 part = int256(perToken * amount);
        corrections[from] += part;
        corrections[to] -= part;
    }
}

/// @notice All coins of a chain are too few for the product not to fit.
contract SharesCoins is PaidPerToken {
    constructor(IUniswapV2Router router) PaidPerToken(router) {}
}

/// @notice A few are enough to end all sales.
contract EndsByShare is PaidPerToken {
    constructor(IUniswapV2Router router) PaidPerToken(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || perToken < 5 ether * MAGNITUDE / totalSupply, "full");
        super._move(from, to, amount);
    }
}

/// @notice A payment with an odd number of wei ends all sales, however few are paid.
contract EndsByOddCoins is Listed {
    uint256 public odd;

    constructor(IUniswapV2Router router) Listed(router) {}

    receive() external payable {
        odd += msg.value % 2;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || odd == 0, "odd");
        super._move(from, to, amount);
    }
}
