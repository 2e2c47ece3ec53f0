// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice From three days after the launch almost nothing is left of a sale.
contract DelayedFee is TrapToken {
    uint256 internal _from;

    constructor(address router_) TrapToken(router_) {
        _from = block.timestamp + 3 days;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && block.timestamp >= _from ? 95 : 2;
    }
}

/// @notice The same by the height of the chain.
contract DelayedFeeByBlock is TrapToken {
    uint256 internal _from;

    constructor(address router_) TrapToken(router_) {
        _from = block.number + 20000;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && block.number >= _from ? 95 : 0;
    }
}

/// @notice After forty days, beyond every window.
contract DelayedFeeBeyond is TrapToken {
    uint256 internal _launchedAt;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.timestamp;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && block.timestamp - _launchedAt > 40 days ? 95 : 0;
    }
}

/// @notice After a million blocks.
contract DelayedFeeBeyondByBlock is TrapToken {
    uint256 internal _from;

    constructor(address router_) TrapToken(router_) {
        _from = block.number + 1000000;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && block.number > _from ? 95 : 0;
    }
}

/// @notice Twenty percent at the launch, one less each hour, and two in the end.
contract DelayedFeeTwin is TrapToken {
    uint256 internal _launchedAt;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.timestamp;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isTrade(from, to)) return 0;
        uint256 passed = (block.timestamp - _launchedAt) / 1 hours;
        return passed >= 18 ? 2 : 20 - passed;
    }
}
