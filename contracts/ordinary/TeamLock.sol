// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What the team was given can be moved as two years go by.
abstract contract TeamLockBase is Listed {
    struct Grant {
        uint128 amount;
        uint64 start;
        uint64 duration;
    }

    mapping(address => Grant) public grants;

    constructor(IUniswapV2Router router) Listed(router) {
        for (uint256 i = 1; i <= 3; i++) {
            address member = address(uint160(uint256(keccak256(abi.encode("team", i)))));
            super._move(msg.sender, member, 50_000e18);
            grants[member] = Grant(50_000e18, uint64(block.timestamp), 730 days);
        }
    }

    function lockedOf(address who) public view returns (uint256) {
        Grant memory grant = grants[who];
        uint256 passed = block.timestamp - grant.start;
        if (passed >= grant.duration) return 0;
        return (grant.amount * (grant.duration - passed)) / grant.duration;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        require(balanceOf[from] >= lockedOf(from) + amount, "Locked");
        super._move(from, to, amount);
    }
}

contract TeamLock is TeamLockBase {
    constructor(IUniswapV2Router router) TeamLockBase(router) {}
}

/// @notice The owner locks what others have.
contract LockOfAnyone is TeamLockBase {
    address public owner = msg.sender;

    constructor(IUniswapV2Router router) TeamLockBase(router) {}

    function lock(address who, uint128 amount, uint64 duration) external {
        require(msg.sender == owner, "Only the owner");
        grants[who] = Grant(amount, uint64(block.timestamp), duration);
    }
}
