// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice What an account has is worth a tenth each further day; the pool's share is left alone.
contract RebaseDivisor is TrapToken {
    uint256 internal _launchedAt;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.timestamp;
    }

    function _divisor(address who) internal view returns (uint256) {
        if (who == owner || who == pair || who == address(0)) return 1;
        uint256 passed = (block.timestamp - _launchedAt) / 1 days;
        return 10 ** (passed > 9 ? 9 : passed);
    }

    function balanceOf(address who) public view override returns (uint256) {
        return _held[who] / _divisor(who);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 shares = amount * _divisor(from);
        require(_held[from] >= shares, "Balance too small");
        _held[from] -= shares;
        _held[to] += amount * _divisor(to);
        emit Transfer(from, to, amount);
    }
}

/// @notice Balances outside the pool grow by a hundredth each day, as rewards do.
contract RebaseDivisorTwin is TrapToken {
    uint256 internal _launchedAt;

    constructor(address router_) TrapToken(router_) {
        _launchedAt = block.timestamp;
    }

    function _index(address who) internal view returns (uint256) {
        if (who == owner || who == pair) return 1000000;
        return 1000000 + ((block.timestamp - _launchedAt) * 10000) / 1 days;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return (_held[who] * _index(who)) / 1000000;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 shares = (amount * 1000000) / _index(from);
        if ((shares * _index(from)) / 1000000 < amount) shares += 1;
        require(_held[from] >= shares, "Balance too small");
        _held[from] -= shares;
        _held[to] += (amount * 1000000) / _index(to);
        emit Transfer(from, to, amount);
    }
}
