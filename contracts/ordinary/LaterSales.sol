// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What others trade, or the days that pass, may change what the next sale is decided by.
abstract contract LaterSales is Listed {
    address internal immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _isSale(address from, address to) internal view returns (bool) {
        return to == pair && from != _maker;
    }
}

/// @notice No more than a limit may be sold at once.
abstract contract LimitedSales is LaterSales {
    uint256 internal _most;

    constructor(uint256 most) {
        _most = most;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSale(from, to)) require(amount <= _most, "too much");
        super._move(from, to, amount);
    }
}

/// @notice Each sale goes through a list of buyers.
abstract contract WalksThroughBuyers is LaterSales {
    address[] internal _buyers;
    uint256 public heldByBuyers;

    function _move(address from, address to, uint256 amount) internal virtual override {
        super._move(from, to, amount);
        if (!_isSale(from, to)) return;
        uint256 sum;
        for (uint256 i; i < _buyers.length; ++i) sum += balanceOf[_buyers[i]];
        heldByBuyers = sum;
    }
}

/// @notice The fee of a sale, in percent.
abstract contract SteppedFee is LaterSales {
    uint256 internal _fee;
    uint256 internal _sales;

    constructor(uint256 fee) {
        _fee = fee;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (!_isSale(from, to)) return super._move(from, to, amount);
        uint256 kept = (amount * _fee) / 100;
        super._move(from, _maker, kept);
        super._move(from, to, amount - kept);
        _sales += 1;
        if (_sales % 100 == 0) _step();
    }

    function _step() internal virtual;
}

// ---------------------------------------------------------------- honest

/// @notice The limit shrinks with each sale, and not below a fiftieth of the supply.
contract LimitWithFloor is LimitedSales {
    constructor(IUniswapV2Router router) LaterSales(router) LimitedSales(100_000e18) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (_isSale(from, to) && _most > 20_000e18) _most = (_most * 95) / 100;
    }
}

/// @notice Each tenth sale halves the limit, and not below a fiftieth of the supply.
contract HalvedToFloor is LimitedSales {
    uint256 private _sales;

    constructor(IUniswapV2Router router) LaterSales(router) LimitedSales(500_000e18) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (!_isSale(from, to)) return;
        _sales += 1;
        if (_sales % 10 == 0 && _most > 20_000e18) _most /= 2;
    }
}

/// @notice The first ten purchases are listed.
contract TenBuyers is WalksThroughBuyers {
    constructor(IUniswapV2Router router) LaterSales(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair && _buyers.length < 10) _buyers.push(to);
        super._move(from, to, amount);
    }
}

/// @notice Each hundredth sale takes a percent from the fee, until one is left.
contract FeeSinks is SteppedFee {
    constructor(IUniswapV2Router router) LaterSales(router) SteppedFee(5) {}

    function _step() internal override {
        if (_fee > 1) _fee -= 1;
    }
}

// ---------------------------------------------------------------- what looks like it

/// @notice The limit shrinks with each sale, to nothing.
contract LimitShrinks is LimitedSales {
    constructor(IUniswapV2Router router) LaterSales(router) LimitedSales(100_000e18) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (_isSale(from, to)) _most = (_most * 95) / 100;
    }
}

/// @notice Each tenth sale halves the limit.
contract HalvedBySales is LimitedSales {
    uint256 private _sales;

    constructor(IUniswapV2Router router) LaterSales(router) LimitedSales(500_000e18) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (!_isSale(from, to)) return;
        _sales += 1;
        if (_sales % 10 == 0) _most /= 2;
    }
}

/// @notice Each tenth purchase halves the limit.
contract HalvedByPurchases is LimitedSales {
    uint256 private _purchases;

    constructor(IUniswapV2Router router) LaterSales(router) LimitedSales(500_000e18) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from != pair) return;
        _purchases += 1;
        if (_purchases % 10 == 0) _most /= 2;
    }
}

/// @notice The first sale of each day halves the limit, from the fifth day on.
contract HalvedByDays is LimitedSales {
    uint256 private _day = block.timestamp / 1 days + 4;

    constructor(IUniswapV2Router router) LaterSales(router) LimitedSales(500_000e18) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (!_isSale(from, to) || block.timestamp / 1 days <= _day) return;
        _day = block.timestamp / 1 days;
        _most /= 2;
    }
}

/// @notice Every buyer is listed.
contract AllBuyers is WalksThroughBuyers {
    constructor(IUniswapV2Router router) LaterSales(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair) _buyers.push(to);
        super._move(from, to, amount);
    }
}

/// @notice Each sale does more work than the one before.
contract WorksMoreEachSale is LaterSales {
    uint256 private _sales;
    uint256 private _digest;

    constructor(IUniswapV2Router router) LaterSales(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (!_isSale(from, to)) return;
        _sales += 1;
        for (uint256 i; i < _sales * 200; ++i) _digest = uint256(keccak256(abi.encode(_digest, i)));
    }
}

/// @notice Each hundredth sale adds ten percent to the fee.
contract FeeClimbs is SteppedFee {
    constructor(IUniswapV2Router router) LaterSales(router) SteppedFee(1) {}

    function _step() internal override {
        if (_fee < 91) _fee += 10;
    }
}
