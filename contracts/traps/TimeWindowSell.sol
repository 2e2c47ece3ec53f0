// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Sells work in the hours around the one of the launch.
contract TimeWindowSell is TrapToken {
    uint256 internal _hour;

    constructor(address router_) TrapToken(router_) {
        _hour = (block.timestamp / 3600) % 24;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            uint256 distance = (24 + (block.timestamp / 3600) % 24 - _hour) % 24;
            require(distance <= 4 || distance >= 20, "Closed now");
        }
        super._move(from, to, amount);
    }
}

/// @notice Sells are refused on one day of the week, three days from the launch.
contract TimeWindowSellWeekday is TrapToken {
    uint256 internal _day;

    constructor(address router_) TrapToken(router_) {
        _day = (block.timestamp / 86400 + 3) % 7;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require((block.timestamp / 1 days) % 7 != _day, "Closed today");
        super._move(from, to, amount);
    }
}

/// @notice Counts rewards by the hour and checkpoints by the day; nothing depends on either.
contract TimeWindowSellTwin is TrapToken {
    mapping(address => uint256) public rewardHours;
    mapping(uint256 => uint256) public volumeOfDay;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (block.timestamp / 3600 > rewardHours[to]) rewardHours[to] = block.timestamp / 3600;
        volumeOfDay[(block.timestamp / 1 days) % 7] += amount;
        super._move(from, to, amount);
    }
}
