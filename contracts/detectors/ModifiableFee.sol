// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice A fee that the owner sets as high as it likes.
/// @custom:expect modifiable-fee
contract ModifiableFee is DetectorToken {
    uint256 public fee;
    address internal _collector;

    function setFee(uint256 next) public onlyOwner {
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice A fee of at most five percent.
/// @custom:ignore modifiable-fee
contract ModifiableFeeTwin is DetectorToken {
    uint256 public fee;
    address internal _collector;

    function setFee(uint256 next) public onlyOwner {
        require(next <= 5, "Five percent at most");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}
