// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {TeamLockBase} from "./TeamLock.sol";

/// @notice Each holder locks as much of its own as it likes, for as long as it likes.
contract VestingOfOneself is TeamLockBase {
    constructor(IUniswapV2Router router) TeamLockBase(router) {}

    function lock(uint128 amount, uint64 duration) external {
        grants[msg.sender] = Grant(amount, uint64(block.timestamp), duration);
    }
}

/// @notice The owner offers a grant that vests, and the holder accepts it.
abstract contract OffersOfGrants is TeamLockBase {
    address public immutable owner = msg.sender;
    mapping(address => Grant) public offers;

    constructor(IUniswapV2Router router) TeamLockBase(router) {}

    function offer(address who, uint128 amount, uint64 duration) external {
        require(msg.sender == owner, "Only the owner");
        offers[who] = Grant(amount, 0, duration);
    }

    function _accept(address who) internal {
        Grant memory offered = offers[who];
        require(offered.amount > 0, "No offer");
        delete offers[who];
        grants[who] = Grant(offered.amount, uint64(block.timestamp), offered.duration);
    }
}

contract VestingAccepted is OffersOfGrants {
    constructor(IUniswapV2Router router) OffersOfGrants(router) {}

    function accept() external {
        _accept(msg.sender);
    }
}

/// @notice The same, and any address accepts for any holder.
contract VestingAcceptedByOthers is OffersOfGrants {
    constructor(IUniswapV2Router router) OffersOfGrants(router) {}

    function accept(address who) external {
        _accept(who);
    }
}

/// @notice The owner gives grants that vest to holders that have agreed to have some.
abstract contract AgreedGrants is TeamLockBase {
    address public immutable owner = msg.sender;
    mapping(address => bool) public agreed;

    constructor(IUniswapV2Router router) TeamLockBase(router) {}

    function grant(address who, uint128 amount, uint64 duration) external {
        require(msg.sender == owner, "Only the owner");
        require(agreed[who], "Not agreed");
        grants[who] = Grant(amount, uint64(block.timestamp), duration);
    }
}

contract VestingAgreed is AgreedGrants {
    constructor(IUniswapV2Router router) AgreedGrants(router) {}

    function agree(bool on) external {
        agreed[msg.sender] = on;
    }
}

/// @notice The same, and the owner agrees for its holders.
contract VestingAgreedByOwner is AgreedGrants {
    constructor(IUniswapV2Router router) AgreedGrants(router) {}

    function agree(address who) external {
        require(msg.sender == owner, "Only the owner");
        agreed[who] = true;
    }
}

/// @notice The same, and what is received counts as agreed.
contract VestingAgreedByBuying is AgreedGrants {
    constructor(IUniswapV2Router router) AgreedGrants(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        agreed[to] = true;
    }
}
