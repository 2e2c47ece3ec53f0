// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Each buyer is marked at once, and the marked cannot send.
contract BuyerBlacklist is TrapToken {
    mapping(address => bool) internal _marked;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(!_marked[from], "Restricted");
        if (_isBuy(from, to)) _marked[to] = true;
        super._move(from, to, amount);
    }
}

/// @notice The mark works only some hundred blocks after the purchase.
contract BuyerBlacklistLater is TrapToken {
    mapping(address => uint256) internal _boughtAt;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to) && _boughtAt[from] != 0) require(block.number < _boughtAt[from] + 900, "Restricted");
        if (_isBuy(from, to)) _boughtAt[to] = block.number;
        super._move(from, to, amount);
    }
}

/// @notice Remembers when everybody last traded, which nothing depends on.
contract BuyerBlacklistTwin is TrapToken {
    mapping(address => uint256) public lastTrade;
    mapping(address => bool) public isHolder;
    uint256 public holders;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (!isHolder[to]) {
            isHolder[to] = true;
            holders += 1;
        }
        lastTrade[from] = block.timestamp;
        lastTrade[to] = block.timestamp;
        super._move(from, to, amount);
    }
}
