// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice One token may be sold at a time.
contract SellLimit is TrapToken {
    uint256 public maxSell = 1 ether;

    constructor(address router_) TrapToken(router_) {}

    function setMaxSell(uint256 next) public onlyOwner {
        maxSell = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(amount <= maxSell, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice A limit that a tenth of an ordinary purchase respects.
contract SellLimitTenth is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(amount <= 450 ether, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice One percent of the supply in a transfer, at the least.
contract SellLimitTwin is TrapToken {
    uint256 public maxAmount = 10000 ether;

    constructor(address router_) TrapToken(router_) {}

    function setMaxAmount(uint256 next) public onlyOwner {
        require(next >= totalSupply / 200, "Too low");
        maxAmount = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) require(amount <= maxAmount, "Too much");
        super._move(from, to, amount);
    }
}
