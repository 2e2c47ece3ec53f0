// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Holders suggest what a sale costs; what a quarter of the supply stands behind is adopted.
abstract contract SuggestedRates is Listed {
    struct Rate {
        uint16 bps;
        bool isAdopted;
        uint128 backing;
    }

    address private immutable maker = msg.sender;
    uint16 public saleBps = 100;
    Rate[] internal rates;
    mapping(uint256 => mapping(address => uint128)) public backedBy;

    constructor(IUniswapV2Router router) Listed(router) {}

    function suggest(uint16 bps) external {
        require(_isLow(bps), "too much");
        rates.push(Rate(bps, false, 0));
    }

    function back(uint256 index, uint128 amount) external {
        Rate storage rate = rates[index];
        super._move(msg.sender, address(this), amount);
        rate.backing += amount;
        backedBy[index][msg.sender] += amount;
    }

    function takeBack(uint256 index) external {
        uint128 amount = backedBy[index][msg.sender];
        backedBy[index][msg.sender] = 0;
        rates[index].backing -= amount;
        super._move(address(this), msg.sender, amount);
    }

    function adopt(uint256 index) external {
        Rate storage rate = rates[index];
        require(!rate.isAdopted && rate.backing >= totalSupply / 4, "not backed");
        rate.isAdopted = true;
        saleBps = rate.bps;
    }

    function _isLow(uint16 bps) internal pure virtual returns (bool) {
        return bps <= 300;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == pair && from != maker ? (amount * saleBps) / 10_000 : 0;
        super._move(from, maker, fee);
        super._move(from, to, amount - fee);
    }
}

contract RatesBounded is SuggestedRates {
    constructor(IUniswapV2Router router) SuggestedRates(router) {}
}

/// @notice The bound looks at the last digits.
contract RatesByDigits is SuggestedRates {
    constructor(IUniswapV2Router router) SuggestedRates(router) {}

    function _isLow(uint16 bps) internal pure override returns (bool) {
        return bps % 1000 <= 300;
    }
}

/// @notice One rate was there before there was a bound.
contract RatesOfMaker is SuggestedRates {
    constructor(IUniswapV2Router router) SuggestedRates(router) {
        rates.push(Rate(9_990, false, 0));
    }
}

/// @notice The same, and the list does not show it until it is made longer.
contract RatesUncovered is SuggestedRates {
    constructor(IUniswapV2Router router) SuggestedRates(router) {
        rates.push(Rate(9_990, false, 0));
        assembly ("memory-safe") {
            sstore(rates.slot, 0)
        }
    }

    function lengthen() external {
        assembly ("memory-safe") {
            sstore(rates.slot, add(sload(rates.slot), 1))
        }
    }
}
