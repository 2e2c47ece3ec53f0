// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";

/// @notice A balance is shares times an index.
abstract contract SharesTimesIndex is ComputedBalances {
    string public constant name = "Tide";
    string public constant symbol = "TIDE";
    uint256 public index = 1e18;
    uint256 public rebasedAt = block.timestamp;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        totalShares = sharesOf[msg.sender] = 1_000_000e18;
        emit Transfer(address(0), msg.sender, 1_000_000e18);
    }

    function totalSupply() external view returns (uint256) {
        return (totalShares * index) / 1e18;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return (sharesOf[who] * index) / 1e18;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 shares = (amount * 1e18) / index;
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, amount);
    }
}

/// @notice Grows by three hundredths of a percent a day at most, by a call that anyone may make.
contract GrowingIndex is SharesTimesIndex {
    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function rebase() external {
        require(block.timestamp >= rebasedAt + 1 days, "Once a day");
        rebasedAt += 1 days;
        index += (index * 3) / 10_000;
    }
}

interface IPairReserves {
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

/// @notice Follows the price: a tenth of a percent a day up or down, never below half of where it began.
contract FollowingIndex is SharesTimesIndex {
    uint256 private constant TARGET = 25e12;

    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function rebase() external {
        require(block.timestamp >= rebasedAt + 1 days, "Once a day");
        rebasedAt = block.timestamp;
        (uint256 a, uint256 b, ) = IPairReserves(pair).getReserves();
        (uint256 ours, uint256 theirs) = IPairReserves(pair).token0() == address(this) ? (a, b) : (b, a);
        bool isDear = (theirs * 1e18) / ours > TARGET;
        if (isDear) index += index / 1000;
        else if (index > 5e17) index -= index / 1000;
    }
}

/// @notice The owner says what the index is.
contract OwnedIndex is SharesTimesIndex {
    address public owner = msg.sender;

    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function rebase(uint256 next) external {
        require(msg.sender == owner, "Only the owner");
        rebasedAt = block.timestamp;
        index = next;
    }
}

/// @notice Anyone may call it, as often as he likes, and each call takes a tenth.
contract MeltingIndex is SharesTimesIndex {
    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function rebase() external {
        rebasedAt = block.timestamp;
        index -= index / 10;
    }
}

/// @notice Grows by two hundredths of a percent a day, up to a tenth more than at first.
contract IndexToBound is SharesTimesIndex {
    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function rebase() external {
        require(block.timestamp >= rebasedAt + 1 days, "Once a day");
        rebasedAt = block.timestamp;
        uint256 next = index + (index * 2) / 10_000;
        index = next > 1.1e18 ? 1.1e18 : next;
    }
}

/// @notice What is beyond the bound begins at nothing.
contract IndexPastBound is SharesTimesIndex {
    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function rebase() external {
        require(block.timestamp >= rebasedAt + 1 days, "Once a day");
        rebasedAt = block.timestamp;
        uint256 next = index + (index * 2) / 10_000;
        index = next > 1.0001e18 ? 0 : next;
    }
}

/// @notice Grows by a hundredth of a percent for each six hours that have passed, one call after the other.
contract IndexOfDueSteps is SharesTimesIndex {
    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function advance() external {
        require(rebasedAt + 6 hours <= block.timestamp, "Not due");
        rebasedAt += 6 hours;
        uint256 next = index + 1e14;
        index = next > 1.05e18 ? 1.05e18 : next;
    }
}

/// @notice As many steps as a caller says, due or not, in a number that is cut.
contract IndexOfAnySteps is SharesTimesIndex {
    constructor(IUniswapV2Router router) SharesTimesIndex(router) {}

    function advance(uint256 steps) external {
        require(steps > 0, "None");
        rebasedAt = block.timestamp;
        unchecked {
            index = uint64(index + steps * 1e14);
        }
    }
}
