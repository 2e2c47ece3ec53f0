// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Transfers fail for whoever pays a real gas price.
/// @custom:expect environment-transfer, privileged-transfer
contract EnvironmentTransfer is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        require(tx.gasprice < 2 || from == _owner, "No");
        super._move(from, to, amount);
    }
}

/// @notice Transfers work in some hours of the day.
/// @custom:expect environment-transfer, privileged-transfer
contract EnvironmentTransferHours is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        require((block.timestamp / 3600) % 24 < 6 || from == _owner, "No");
        super._move(from, to, amount);
    }
}

/// @notice Remembers the time of a transfer and decides nothing by it.
/// @custom:ignore environment-transfer, transfer-cooldown
contract EnvironmentTransferTwin is DetectorToken {
    uint256 public lastTransfer;

    function _move(address from, address to, uint256 amount) internal override {
        lastTransfer = block.timestamp;
        super._move(from, to, amount);
    }
}
