// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice A divisor that is zero, met on sells only.
contract NumericException is TrapToken {
    uint256 internal _parts;

    constructor(address router_) TrapToken(router_) {}

    function setParts(uint256 next) public onlyOwner {
        _parts = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 100 / _parts : 0;
    }
}

/// @notice The divisor is fifty and stays so.
contract NumericExceptionTwin is TrapToken {
    uint256 internal _parts = 50;

    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 100 / _parts : 0;
    }
}
