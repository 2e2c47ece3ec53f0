// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";
import {IPairReserves} from "./Rebasing.sol";

/// @notice A balance is units divided by what a token has of them.
abstract contract UnitsPerToken is ComputedBalances {
    uint256 internal constant SUPPLY = 1_000_000e18;
    uint256 internal constant UNITS = SUPPLY * 1e24;
    string public constant name = "Ebb";
    string public constant symbol = "EBB";
    uint256 public totalSupply = SUPPLY;
    uint256 public unitsPerToken = UNITS / SUPPLY;
    uint256 public epoch = block.timestamp / 1 days;
    mapping(address => uint256) public unitsOf;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        unitsOf[msg.sender] = UNITS;
        emit Transfer(address(0), msg.sender, SUPPLY);
    }

    function balanceOf(address who) public view override returns (uint256) {
        return unitsOf[who] / unitsPerToken;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 units = amount * unitsPerToken;
        unitsOf[from] -= units;
        unitsOf[to] += units;
        emit Transfer(from, to, amount);
    }

    function _isDear() internal view returns (bool) {
        (uint256 a, uint256 b, ) = IPairReserves(pair).getReserves();
        (uint256 ours, uint256 theirs) = IPairReserves(pair).token0() == address(this) ? (a, b) : (b, a);
        return (theirs * 1e18) / ours > 25e12;
    }

    /// Once in an epoch of a day.
    modifier daily() {
        require(block.timestamp / 1 days > epoch, "Once a day");
        epoch = block.timestamp / 1 days;
        _;
    }
}

/// @notice The supply follows the price by a tenth of a percent a day, and the divisor follows the supply.
contract DividedSupply is UnitsPerToken {
    constructor(IUniswapV2Router router) UnitsPerToken(router) {}

    function rebase() external daily {
        totalSupply = _isDear() ? totalSupply + totalSupply / 1000 : totalSupply - totalSupply / 1000;
        unitsPerToken = UNITS / totalSupply;
    }
}

/// @notice The divisor itself follows the price, never to twice what it began with.
contract DividingIndex is UnitsPerToken {
    constructor(IUniswapV2Router router) UnitsPerToken(router) {}

    function rebase() external daily {
        if (_isDear()) unitsPerToken -= unitsPerToken / 1000;
        else if (unitsPerToken < (2 * UNITS) / SUPPLY) unitsPerToken += unitsPerToken / 1000;
        totalSupply = UNITS / unitsPerToken;
    }
}

/// @notice The owner says how many tokens there are.
contract OwnedDivisor is UnitsPerToken {
    address public owner = msg.sender;

    constructor(IUniswapV2Router router) UnitsPerToken(router) {}

    function rebase(uint256 supply) external daily {
        require(msg.sender == owner, "Only the owner");
        totalSupply = supply;
        unitsPerToken = UNITS / supply;
    }
}

/// @notice A reporter says what the divisor is: once a day, within a hundredth of what it was.
contract ReportedDivisor is UnitsPerToken {
    address public immutable reporter = msg.sender;

    constructor(IUniswapV2Router router) UnitsPerToken(router) {}

    function report(uint256 next) external daily {
        require(msg.sender == reporter, "Only the reporter");
        require(next >= unitsPerToken - unitsPerToken / 100 && next <= unitsPerToken + unitsPerToken / 100, "Too far");
        unitsPerToken = next;
        totalSupply = UNITS / next;
    }
}

/// @notice The same without a bound from above.
contract ReportedWithoutBound is UnitsPerToken {
    address public immutable reporter = msg.sender;

    constructor(IUniswapV2Router router) UnitsPerToken(router) {}

    function report(uint256 next) external daily {
        require(msg.sender == reporter, "Only the reporter");
        require(next >= unitsPerToken - unitsPerToken / 100, "Too far");
        unitsPerToken = next;
        totalSupply = UNITS / next;
    }
}

/// @notice Anyone may call it, as often as he likes, and each call leaves a tenth.
contract MeltingDivisor is UnitsPerToken {
    constructor(IUniswapV2Router router) UnitsPerToken(router) {}

    function rebase() external {
        unitsPerToken *= 10;
        totalSupply = UNITS / unitsPerToken;
    }
}
