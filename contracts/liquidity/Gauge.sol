// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IShares} from "./LiquidityLocks.sol";

/// @title A gauge that gives everybody their own
/// @notice LP tokens are staked here for rewards, and can be taken back at any time by the account that staked them.
contract Gauge {
    address public immutable stakingToken;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    constructor(address token) {
        stakingToken = token;
    }

    function deposit(uint256 amount) external {
        IShares(stakingToken).transferFrom(msg.sender, address(this), amount);
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        IShares(stakingToken).transfer(msg.sender, amount);
    }
}

/// @title A gauge whose maker can empty it
/// @notice As the one above for everybody to see. The maker may move all that was staked.
contract GaugeWithKeeper is Gauge {
    address public immutable owner = msg.sender;

    constructor(address token) Gauge(token) {}

    function migrate(address to) external {
        require(msg.sender == owner, "Not the owner");
        IShares(stakingToken).transfer(to, IShares(stakingToken).balanceOf(address(this)));
    }
}
