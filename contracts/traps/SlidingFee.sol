// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Two percent more each ten days, up to ninety, and not one branch asks for the time.
contract SlidingFee is TrapToken {
    uint256 internal _launchedAt;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.timestamp;
    }

    function _feePercent(address from, address to) internal view override returns (uint256 fee) {
        uint256 grown = ((block.timestamp - _launchedAt) * 2) / 10 days;
        bool isSell = _isSell(from, to);
        assembly {
            // The smaller of two, without asking: grown ^ ((grown ^ 90) & -(90 < grown)).
            fee := mul(isSell, xor(grown, and(xor(grown, 90), sub(0, lt(90, grown)))))
        }
    }
}

/// @notice The same with the height of the chain, in one leap after some hundred thousand blocks.
contract SlidingFeeByBlock is TrapToken {
    uint256 internal _launchedIn;

    constructor(address router_) TrapToken(router_) {
        _launchedIn = block.number;
    }

    function _feePercent(address from, address to) internal view override returns (uint256 fee) {
        uint256 passed = block.number - _launchedIn;
        bool isSell = _isSell(from, to);
        assembly {
            fee := mul(isSell, mul(95, gt(passed, 300000)))
        }
    }
}

/// @notice Pays the time that was held out of nothing: the clock is in the arithmetic, and not in what a sale costs.
contract SlidingFeeTwin is TrapToken {
    mapping(address => uint256) public heldSince;
    mapping(address => uint256) public points;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        points[from] += _held[from] / 1e18 * (block.timestamp - heldSince[from]);
        heldSince[from] = block.timestamp;
        heldSince[to] = block.timestamp;
        super._move(from, to, amount);
    }
}
