// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The largest transfer can be set to nothing.
/// @custom:expect transfer-limit
contract TransferLimit is DetectorToken {
    uint256 public limit = 1000000 ether;

    function setLimit(uint256 next) public onlyOwner {
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= limit, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice A limit of at least one percent of the supply.
/// @custom:ignore transfer-limit
contract TransferLimitTwin is DetectorToken {
    uint256 public limit = 1000000 ether;

    function setLimit(uint256 next) public onlyOwner {
        require(next >= totalSupply / 100, "One percent at least");
        limit = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(amount <= limit, "Too much");
        super._move(from, to, amount);
    }
}
