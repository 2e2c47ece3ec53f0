// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Counts for all callers, without looking whether there is room.
contract Tally {
    uint256 public count;
    uint256 public sum;

    function add() external {
        assembly {
            sstore(0, add(sload(0), 1))
        }
    }

    function give(uint256 points) external {
        require(points < 1000, "Too many");
        assembly {
            sstore(1, add(sload(1), points))
        }
    }
}

/// @notice No sale once another contract has counted nine hundred calls, which any address makes.
contract NearCount is TrapToken {
    Tally internal immutable _tally = new Tally();

    constructor(address router_) TrapToken(router_) {}

    function _isFull() internal view virtual returns (bool) {
        return _tally.count() > 900;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(!_isFull(), "Full");
        super._move(from, to, amount);
    }
}

/// @notice The count has to fit into four bytes, which no calls fill.
contract FarCount is NearCount {
    constructor(address router_) NearCount(router_) {}

    function _isFull() internal view override returns (bool) {
        return _tally.count() >= 4294967295;
    }
}

/// @notice A product of what was given has to fit into a word.
contract FarSum is NearCount {
    constructor(address router_) NearCount(router_) {}

    function _isFull() internal view override returns (bool) {
        return _tally.sum() > 2**196;
    }
}
