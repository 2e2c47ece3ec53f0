// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Owned} from "../shared/Owned.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Against bots at the start: no more than a hundredth in a transfer while limits are on.
abstract contract LaunchLimitBase is Listed, Owned {
    bool public limitsInEffect = true;
    uint256 public maxTransaction = 10_000e18;

    constructor(IUniswapV2Router router) Listed(router) {}

    function removeLimits() external onlyOwner {
        limitsInEffect = false;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (limitsInEffect && from != owner && to != owner) require(amount <= maxTransaction, "Above the limit");
        super._move(from, to, amount);
    }
}

contract LaunchLimitEnded is LaunchLimitBase {
    constructor(IUniswapV2Router router) LaunchLimitBase(router) {}

    function setMaxTransaction(uint256 next) external onlyOwner {
        require(next >= totalSupply / 1000, "Too little");
        maxTransaction = next;
    }
}

/// @notice The first hour after the opening, which happens once.
contract LaunchHourOver is Listed, Owned {
    uint256 public openedAt;

    constructor(IUniswapV2Router router) Listed(router) {}

    function open() external onlyOwner {
        require(openedAt == 0, "Open already");
        openedAt = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from != owner && to != owner) {
            require(openedAt != 0, "Not open");
            if (block.timestamp < openedAt + 1 hours) require(amount <= 10_000e18 && to.code.length == 0 || to == pair, "Sniper");
        }
        super._move(from, to, amount);
    }
}

/// @notice The owner can begin anew, with a limit that lets nothing through.
contract LaunchLimitRestarted is LaunchLimitBase {
    constructor(IUniswapV2Router router) LaunchLimitBase(router) {}

    function restoreLimits(uint256 most) external onlyOwner {
        limitsInEffect = true;
        maxTransaction = most;
    }
}

/// @notice The hour begins anew whenever the owner opens again.
contract LaunchHourAgain is Listed, Owned {
    uint256 public openedAt;

    constructor(IUniswapV2Router router) Listed(router) {}

    function open() external onlyOwner {
        openedAt = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from != owner && to != owner && block.timestamp < openedAt + 1 hours) require(to != pair, "Sniper");
        super._move(from, to, amount);
    }
}
