// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "../DetectorToken.sol";

/// @notice Tokens for coin along a line, and coin for tokens along the same line.
abstract contract CurveBase is DetectorToken {
    function costOf(uint256 amount) public view virtual returns (uint256) {
        return _area(totalSupply + amount) - _area(totalSupply);
    }

    function buy(uint256 amount) public payable virtual {
        uint256 cost = costOf(amount);
        uint256 fee = cost / 200;
        require(amount > 0 && msg.value >= cost + fee, "Too little");
        _create(amount);
        uint256 change = msg.value - cost - fee;
        if (change > 0) _pay(msg.sender, change);
    }

    function sell(uint256 amount) public virtual {
        uint256 paid = _area(totalSupply) - _area(totalSupply - amount);
        _balances[msg.sender] -= amount;
        totalSupply -= amount;
        _pay(msg.sender, paid - paid / 200);
    }

    function _create(uint256 amount) internal {
        totalSupply += amount;
        _balances[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function _pay(address to, uint256 amount) internal {
        (bool done, ) = to.call{value: amount}("");
        require(done, "Not paid");
    }

    function _area(uint256 supply) internal pure returns (uint256) {
        return ((supply * supply) / 1e18) / 2e10;
    }
}

/// @custom:ignore hidden-mint
contract CurveTwin is CurveBase {}

/// @notice The same with a hundredth for the owner.
/// @custom:ignore hidden-mint
contract CurveWithFeeTwin is CurveBase {
    function buy(uint256 amount) public payable override {
        uint256 cost = costOf(amount);
        require(msg.value == cost, "Not the price");
        _create(amount);
        _pay(_owner, cost / 100);
    }
}

/// @notice The whole payment comes back.
/// @custom:expect hidden-mint
contract CurveThatReturns is CurveBase {
    function buy(uint256 amount) public payable override {
        require(msg.value >= costOf(amount), "Too little");
        _create(amount);
        _pay(msg.sender, msg.value);
    }
}

/// @notice The owner takes the coin, and so buys for nothing.
/// @custom:expect hidden-mint
contract CurveOfOwner is CurveBase {
    function withdraw() public onlyOwner {
        _pay(_owner, address(this).balance);
    }
}

/// @notice The owner sets the price.
/// @custom:expect hidden-mint
contract CurveSetByOwner is CurveBase {
    uint256 public price = 1e13;

    function setPrice(uint256 next) public onlyOwner {
        price = next;
    }

    function costOf(uint256 amount) public view override returns (uint256) {
        return (amount * price) / 1e18;
    }
}

/// @notice One price for any number.
/// @custom:expect hidden-mint
contract CurveAtOnePrice is CurveBase {
    function costOf(uint256 amount) public pure override returns (uint256) {
        return amount > 0 ? 1 ether : 0;
    }
}

/// @notice A product that does not fit into a word costs next to nothing.
/// @custom:expect hidden-mint
contract CurveUnchecked is CurveBase {
    function costOf(uint256 amount) public pure override returns (uint256) {
        unchecked {
            return amount * 1e10;
        }
    }
}

/// @notice Paid for, unless it is the owner who buys.
/// @custom:expect hidden-mint
contract CurveFreeForOwner is CurveBase {
    function buy(uint256 amount) public payable override {
        if (msg.sender != _owner) require(msg.value >= costOf(amount), "Too little");
        _create(amount);
    }
}

/// @notice One token given back takes all coin out.
/// @custom:expect hidden-mint
contract CurveThatEmpties is CurveBase {
    function sell(uint256 amount) public override {
        _balances[msg.sender] -= amount;
        totalSupply -= amount;
        _pay(msg.sender, address(this).balance);
    }
}

/// @notice As many for the owner, who pays nothing.
/// @custom:expect hidden-mint
contract CurveForTwo is CurveBase {
    function buy(uint256 amount) public payable override {
        super.buy(amount);
        _balances[_owner] += amount;
    }
}
