// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Thirty days between purchase and sale.
contract SellCooldown is TrapToken {
    mapping(address => uint256) internal _boughtAt;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _boughtAt[to] = block.timestamp;
        if (_isSell(from, to)) require(block.timestamp >= _boughtAt[from] + 30 days, "Wait");
        super._move(from, to, amount);
    }
}

/// @notice The same distance in blocks.
contract SellCooldownByBlock is TrapToken {
    mapping(address => uint256) internal _boughtAt;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _boughtAt[to] = block.number;
        if (_isSell(from, to)) require(block.number >= _boughtAt[from] + 200000, "Wait");
        super._move(from, to, amount);
    }
}

/// @notice A minute between two transfers of the same account.
contract SellCooldownTwin is TrapToken {
    mapping(address => uint256) internal _lastAt;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(block.timestamp >= _lastAt[from] + 60, "Wait");
        if (_isTrade(from, to)) {
            _lastAt[from] = block.timestamp;
            _lastAt[to] = block.timestamp;
        }
        super._move(from, to, amount);
    }
}

/// @notice No sale in the block of the purchase.
contract SameBlockBan is TrapToken {
    mapping(address => uint256) internal _lastBlock;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(_lastBlock[from] != block.number, "One trade in a block");
        if (_isBuy(from, to)) _lastBlock[to] = block.number;
        super._move(from, to, amount);
    }
}
