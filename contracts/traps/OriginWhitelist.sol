// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Only transactions that known accounts began may sell.
contract OriginWhitelist is TrapToken {
    mapping(address => bool) internal _known;

    constructor(address router_) TrapToken(router_) {
        _known[tx.origin] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair) require(_known[tx.origin], "Unknown");
        super._move(from, to, amount);
    }
}

/// @notice Tokens may be sent by people and by the router, not by other contracts.
contract OriginWhitelistTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(msg.sender == tx.origin || msg.sender == router || msg.sender == pair, "People only");
        super._move(from, to, amount);
    }
}
