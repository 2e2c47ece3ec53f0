// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Is asked about each transfer.
contract CallbackGuard {
    address internal _pair;
    bool internal _refuses;

    constructor(address pair_, bool refuses) {
        _pair = pair_;
        _refuses = refuses;
    }

    function onMove(address, address to) external view {
        require(!_refuses || to != _pair, "Guard says no");
    }
}

/// @notice A sell fails because a contract beside the token fails.
contract CallbackTrap is TrapToken {
    CallbackGuard public guard;

    constructor(address router_) TrapToken(router_) {
        guard = new CallbackGuard(pair, true);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) guard.onMove(from, to);
        super._move(from, to, amount);
    }
}

/// @notice The same call, whose failure no one minds.
contract CallbackTrapTwin is TrapToken {
    CallbackGuard public guard;

    constructor(address router_) TrapToken(router_) {
        guard = new CallbackGuard(pair, true);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) try guard.onMove(from, to) {} catch {}
        super._move(from, to, amount);
    }
}
