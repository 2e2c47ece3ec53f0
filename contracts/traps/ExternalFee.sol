// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Says what a trade costs.
contract FeeTable {
    uint256 internal _percent;

    constructor(uint256 percent) {
        _percent = percent;
    }

    function feeOf(address, address) external view returns (uint256) {
        return _percent;
    }
}

/// @notice The fee stands in another contract.
contract ExternalFee is TrapToken {
    FeeTable internal _table;

    constructor(address router_) TrapToken(router_) {
        _table = new FeeTable(93);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _table.feeOf(from, to) : 0;
    }
}

/// @notice The same with a fee that leaves the trade alone.
contract ExternalFeeTwin is TrapToken {
    FeeTable internal _table;

    constructor(address router_) TrapToken(router_) {
        _table = new FeeTable(2);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _table.feeOf(from, to) : 0;
    }
}
