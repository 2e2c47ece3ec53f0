// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Owned} from "../shared/Owned.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What the team was given before the opening is locked for a quarter, and comes free within a year.
abstract contract Granting is Listed, Owned {
    uint256 public openedAt;
    mapping(address => uint256) public granted;

    constructor(IUniswapV2Router router) Listed(router) {}

    function open() external onlyOwner {
        require(openedAt == 0, "Open already");
        openedAt = block.timestamp;
    }

    function grant(address who, uint256 amount) external onlyOwner {
        require(_mayGrant() && granted[who] == 0 && who != owner, "Not now");
        granted[who] = amount;
        super._move(msg.sender, who, amount);
    }

    function lockedOf(address who) public view returns (uint256) {
        uint256 total = granted[who];
        if (total == 0) return 0;
        if (openedAt == 0 || block.timestamp < openedAt + 90 days) return total;
        uint256 passed = block.timestamp - openedAt;
        return passed >= 365 days ? 0 : total - (total * passed) / 365 days;
    }

    function _mayGrant() internal view virtual returns (bool);

    function _move(address from, address to, uint256 amount) internal override {
        if (granted[from] != 0) require(balanceOf[from] >= amount + lockedOf(from), "Locked");
        super._move(from, to, amount);
    }
}

contract GrantsEnd is Granting {
    constructor(IUniswapV2Router router) Granting(router) {}

    function _mayGrant() internal view override returns (bool) {
        return openedAt == 0;
    }
}

/// @notice A grant of nearly nothing, sent to a buyer at any time, locks as much as it says.
contract GrantsGoOn is Granting {
    constructor(IUniswapV2Router router) Granting(router) {}

    function regrant(address who, uint256 amount) external onlyOwner {
        granted[who] = amount;
    }

    function _mayGrant() internal view override returns (bool) {
        return openedAt == 0;
    }
}
