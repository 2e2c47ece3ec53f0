// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Each account can sell once.
contract SecondSell is TrapToken {
    mapping(address => bool) internal _hasSold;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            require(!_hasSold[from], "Once");
            _hasSold[from] = true;
        }
        super._move(from, to, amount);
    }
}

/// @notice Only those who bought can sell: what was given stays where it is.
contract GiftedTokens is TrapToken {
    mapping(address => bool) internal _hasBought;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _hasBought[to] = true;
        if (_isSell(from, to)) require(_hasBought[from], "Buyers only");
        super._move(from, to, amount);
    }
}
