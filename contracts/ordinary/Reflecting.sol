// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";

/// @notice Holdings are parts of a total that fees shrink, so that all who hold get their share of them (the manner of reflect.finance).
abstract contract Reflecting is ComputedBalances {
    string public constant name = "Mirrored";
    string public constant symbol = "MIRR";
    uint256 public constant totalSupply = 1_000_000e18;

    uint256 internal _total = type(uint256).max - (type(uint256).max % totalSupply);
    mapping(address => uint256) internal _parts;
    /// @dev Those who take no part in fees; their list is walked for each balance.
    address[] internal _apart;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _parts[msg.sender] = _total;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        require(_parts[account] <= _total, "More than all");
        return _parts[account] / _rate();
    }

    function _rate() internal view returns (uint256) {
        uint256 parts = _total;
        for (uint256 i = 0; i < _apart.length; i++) parts -= _parts[_apart[i]];
        return parts / totalSupply;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 rate = _rate();
        uint256 fee = amount / 50;
        _parts[from] -= amount * rate;
        _parts[to] += (amount - fee) * rate;
        _take(to, fee * rate);
        emit Transfer(from, to, amount - fee);
    }

    function _take(address to, uint256 parts) internal virtual;
}

// ---------------------------------------------------------------- honest

/// @notice 2 % of each trade is shared among all who hold.
contract Reflects is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address, uint256 parts) internal override {
        _total -= parts;
    }
}

/// @notice 1 % is shared, and the token itself collects 1 %.
contract ReflectsAndCollects is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address, uint256 parts) internal override {
        _total -= parts / 2;
        _parts[address(this)] += parts / 2;
    }
}

// ---------------------------------------------------------------- hostile

/// @notice The total shrinks by more than was taken: after some trades the pool has more than all.
contract ReflectsTooMuch is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address, uint256 parts) internal override {
        _total -= parts * 4;
    }
}

/// @notice What the token collects closes it, long before it has collected all.
contract CollectsUntilClosed is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address to, uint256 parts) internal override {
        _parts[address(this)] += parts;
        require(to != pair || _parts[address(this)] < _total / 40, "Closed");
    }
}
