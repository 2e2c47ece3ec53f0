// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Sells must pay more for gas than any sender pays.
contract GasPriceDependentSell is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(tx.gasprice > 5000 * 1e9, "Too cheap");
        super._move(from, to, amount);
    }
}

/// @notice At an ordinary gas price half of a sale is kept, at none almost nothing.
contract GasPriceDependentFee is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && tx.gasprice > 0 ? 85 : 0;
    }
}

/// @notice A brake on bots: no transfer may pay more than 500 gwei.
contract GasPriceDependentSellTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) require(tx.gasprice <= 500 * 1e9, "Too dear");
        super._move(from, to, amount);
    }
}
