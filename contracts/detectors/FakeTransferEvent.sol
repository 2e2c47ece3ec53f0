// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Logs the transfer of any account but the owner without making it.
/// @custom:expect fake-transfer-event
contract FakeTransferEvent is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        if (from == _owner) super._move(from, to, amount);
        else emit Transfer(from, to, amount);
    }
}

/// @notice Logs what others transfer without moving it, once it has asked whether it is too much.
/// @custom:expect fake-transfer-event
contract FakeTransferEventBelowLimit is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        if (from == _owner) {
            super._move(from, to, amount);
            return;
        }
        require(amount <= 1e21, "Too much");
        emit Transfer(from, to, amount);
    }
}

/// @notice Logs nothing but what moves; nothing moves for an amount of zero.
/// @custom:ignore fake-transfer-event
contract FakeTransferEventTwin is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        if (amount == 0) {
            emit Transfer(from, to, 0);
            return;
        }
        super._move(from, to, amount);
    }
}

/// @notice A transfer of nothing is logged with the amount that was asked for.
/// @custom:ignore fake-transfer-event
contract FakeTransferEventOfNothing is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        if (amount == 0) {
            emit Transfer(from, to, amount);
            return;
        }
        super._move(from, to, amount);
    }
}
