// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice A waiting time that the owner sets.
/// @custom:expect transfer-cooldown
contract TransferCooldown is DetectorToken {
    uint256 public pause;
    mapping(address => uint256) internal _last;

    function setPause(uint256 next) public onlyOwner {
        pause = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(block.timestamp >= _last[from] + pause, "Wait");
        _last[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice A waiting time of a minute, fixed.
/// @custom:ignore transfer-cooldown
contract TransferCooldownTwin is DetectorToken {
    mapping(address => uint256) internal _last;

    function _move(address from, address to, uint256 amount) internal override {
        require(block.timestamp >= _last[from] + 60, "Wait");
        _last[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice Moves are noted in order: the last one is never ahead of the clock, so that none waits.
/// @custom:ignore transfer-cooldown
contract TransferCooldownOfOrder is DetectorToken {
    mapping(address => uint256) internal _last;

    function _move(address from, address to, uint256 amount) internal override {
        require(_last[from] <= block.timestamp, "Out of order");
        _last[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice What came in this block leaves in the next.
/// @custom:ignore transfer-cooldown
contract TransferCooldownOfBlock is DetectorToken {
    mapping(address => uint256) internal _last;

    function _move(address from, address to, uint256 amount) internal override {
        require(_last[from] < block.timestamp, "Wait");
        _last[to] = block.timestamp;
        super._move(from, to, amount);
    }
}
