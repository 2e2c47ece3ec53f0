// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Transfers fail for each sender that pays a real gas price.
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

/// @notice What the team holds comes free by and by.
/// @custom:ignore environment-transfer
contract TeamVesting is DetectorToken {
    address internal _team;
    uint256 internal _start;

    constructor() {
        _team = msg.sender;
        _start = block.timestamp - 30 days;
    }

    function _locked() internal view returns (uint256) {
        uint256 passed = block.timestamp - _start;
        return passed >= 365 days ? 0 : (100000 ether * (365 days - passed)) / 365 days;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == _team) require(_balances[from] >= amount + _locked(), "Locked");
        super._move(from, to, amount);
    }
}

/// @notice On one day of the week nothing can be sent; the remainder is written out.
/// @custom:expect environment-transfer
contract EnvironmentTransferWeekday is DetectorToken {
    function _move(address from, address to, uint256 amount) internal override {
        uint256 day = block.timestamp / 1 days;
        require(day - (day / 7) * 7 != 3, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice Notes the block in a narrow word, which no block is too late for.
/// @custom:ignore environment-transfer
contract NarrowClock is DetectorToken {
    uint48 public lastBlock;

    function _move(address from, address to, uint256 amount) internal override {
        require(block.number <= 2**48 - 1, "Too late");
        lastBlock = uint48(block.number);
        super._move(from, to, amount);
    }
}

/// @notice The same with a block that comes.
/// @custom:ignore environment-transfer
contract NarrowClockTwin is DetectorToken {
    uint48 public lastBlock;

    function _move(address from, address to, uint256 amount) internal override {
        require(block.number <= 40000000, "Too late");
        lastBlock = uint48(block.number);
        super._move(from, to, amount);
    }
}
