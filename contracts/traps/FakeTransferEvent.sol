// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice A purchase is announced and never happens.
contract FakeTransferEvent is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) emit Transfer(from, to, amount);
        else super._move(from, to, amount);
    }
}

/// @notice A sale is announced, and the tokens are gone without having arrived.
contract FakeTransferEventSell is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            _held[from] -= amount;
            emit Transfer(from, to, amount);
        } else super._move(from, to, amount);
    }
}

/// @notice Says each fee in an event of its own, and everything adds up.
contract FakeTransferEventTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isTrade(from, to) ? 1 : 0;
    }
}
