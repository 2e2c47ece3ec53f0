// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Who buys in the first blocks cannot sell; this range lasts.
contract EarlyBuyerTrap is TrapToken {
    uint256 internal _launchedAt;
    mapping(address => bool) internal _isEarly;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.number;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to) && block.number < _launchedAt + 100000) _isEarly[to] = true;
        require(!_isEarly[from], "Early");
        super._move(from, to, amount);
    }
}

/// @notice The range is one block and long over.
contract EarlyBuyerTrapTwin is TrapToken {
    uint256 internal _launchedAt;
    mapping(address => bool) internal _isEarly;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.number;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to) && block.number <= _launchedAt) _isEarly[to] = true;
        require(!_isEarly[from], "Early");
        super._move(from, to, amount);
    }
}

/// @notice Who bought half a day after the launch or later cannot sell; who came before, and has only held, can.
contract LateBuyerTrap is TrapToken {
    uint256 internal _launchedAt;
    mapping(address => bool) internal _late;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to) && block.timestamp > _launchedAt + 12 hours) _late[to] = true;
        if (_isSell(from, to)) require(!_late[from], "Closed");
        super._move(from, to, amount);
    }
}
