// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice The pool that bears the fee was written after the launch.
contract LatePairTax is TrapToken {
    address internal _taxed;

    constructor(address router_) TrapToken(router_) {}

    function register() public onlyOwner {
        _taxed = pair;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return to == _taxed && from != owner ? 88 : 0;
    }
}

/// @notice The same with a fee of four percent.
contract LatePairTaxTwin is TrapToken {
    address internal _taxed;

    constructor(address router_) TrapToken(router_) {}

    function register() public onlyOwner {
        _taxed = pair;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return to == _taxed && from != owner ? 4 : 0;
    }
}
