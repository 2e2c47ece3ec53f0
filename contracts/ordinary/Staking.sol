// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Tokens that are put aside earn tokens of a fund that the contract holds.
abstract contract StakingBase is Listed {
    uint256 public constant RATE = 1e15;
    uint256 public staked;
    uint256 public fund;
    uint256 public perToken;
    uint256 public updatedAt = block.timestamp;
    mapping(address => uint256) public stakeOf;
    mapping(address => uint256) public paidPerToken;
    mapping(address => uint256) public rewardOf;

    constructor(IUniswapV2Router router) Listed(router) {
        fund = 100_000e18;
        _move(msg.sender, address(this), fund);
    }

    function earned(address who) public view returns (uint256) {
        return rewardOf[who] + (stakeOf[who] * (_perTokenNow() - paidPerToken[who])) / 1e18;
    }

    function deposit(uint256 amount) external {
        _update(msg.sender);
        _move(msg.sender, address(this), amount);
        stakeOf[msg.sender] += amount;
        staked += amount;
    }

    function withdraw(uint256 amount) public virtual {
        _update(msg.sender);
        stakeOf[msg.sender] -= amount;
        staked -= amount;
        _move(address(this), msg.sender, amount);
    }

    function getReward() public virtual {
        _update(msg.sender);
        uint256 reward = rewardOf[msg.sender];
        if (reward > fund) reward = fund;
        rewardOf[msg.sender] = 0;
        fund -= reward;
        _move(address(this), msg.sender, reward);
    }

    function _perTokenNow() internal view returns (uint256) {
        if (staked == 0) return perToken;
        return perToken + ((block.timestamp - updatedAt) * RATE * 1e18) / staked;
    }

    function _update(address who) internal {
        perToken = _perTokenNow();
        updatedAt = block.timestamp;
        rewardOf[who] = earned(who);
        paidPerToken[who] = perToken;
    }
}

contract StakingInside is StakingBase {
    constructor(IUniswapV2Router router) StakingBase(router) {}

    function exit() external {
        withdraw(stakeOf[msg.sender]);
        getReward();
    }
}

/// @notice Each holder earns without putting anything aside: transfers settle what both have earned.
contract StakingByHolding is Listed {
    uint256 public constant RATE = 1e9;
    mapping(address => uint256) public settledAt;
    mapping(address => uint256) public earned;

    constructor(IUniswapV2Router router) Listed(router) {}

    function getReward() external {
        _settle(msg.sender);
        uint256 reward = earned[msg.sender];
        earned[msg.sender] = 0;
        _mint(msg.sender, reward);
    }

    function _settle(address who) private {
        if (settledAt[who] != 0) earned[who] += (balanceOf[who] * (block.timestamp - settledAt[who]) * RATE) / 1e18;
        settledAt[who] = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _settle(from);
        _settle(to);
        super._move(from, to, amount);
    }
}

/// @notice What was put aside comes back when the owner says so.
contract StakingThatKeeps is StakingBase {
    address public owner = msg.sender;
    bool public isOpen;

    constructor(IUniswapV2Router router) StakingBase(router) {}

    function setOpen(bool next) external {
        require(msg.sender == owner, "Only the owner");
        isOpen = next;
    }

    function withdraw(uint256 amount) public override {
        require(isOpen, "Not open");
        super.withdraw(amount);
    }
}

/// @notice The owner puts aside what others have, and they get it back after a time of his.
contract StakingForOthers is StakingBase {
    address public owner = msg.sender;
    uint256 public releaseAt;

    constructor(IUniswapV2Router router) StakingBase(router) {}

    function depositFor(address who, uint256 amount) external {
        require(msg.sender == owner, "Only the owner");
        _update(who);
        _move(who, address(this), amount);
        stakeOf[who] += amount;
        staked += amount;
    }

    function setRelease(uint256 next) external {
        require(msg.sender == owner, "Only the owner");
        releaseAt = next;
    }

    function withdraw(uint256 amount) public override {
        require(block.timestamp >= releaseAt, "Later");
        super.withdraw(amount);
    }
}

/// @notice Who takes his reward may not sell until the owner has ended the season.
contract StakingThatLocks is StakingBase {
    address public owner = msg.sender;
    uint256 public season;
    mapping(address => uint256) public claimedIn;

    constructor(IUniswapV2Router router) StakingBase(router) {
        season = 1;
    }

    function endSeason() external {
        require(msg.sender == owner, "Only the owner");
        season += 1;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(claimedIn[from] < season || to != pair, "Wait for the season");
        super._move(from, to, amount);
        if (from == address(this)) claimedIn[to] = season;
    }
}
