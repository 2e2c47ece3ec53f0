// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice The owner has set the fee to ninety-nine percent.
contract SettableFee is TrapToken {
    uint256 public fee = 99;

    constructor(address router_) TrapToken(router_) {}

    function setFee(uint256 next) public onlyOwner {
        fee = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}

/// @notice The owner can set a fee of up to five percent, and has set three.
contract SettableFeeTwin is TrapToken {
    uint256 public fee = 3;

    constructor(address router_) TrapToken(router_) {}

    function setFee(uint256 next) public onlyOwner {
        require(next <= 5, "Too high");
        fee = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}
