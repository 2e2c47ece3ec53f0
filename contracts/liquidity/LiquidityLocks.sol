// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IShares {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
}

interface IPositions {
    function transferFrom(address from, address to, uint256 id) external;
}

/// @title A lock for LP tokens that holds
/// @notice Only who put the tokens in gets them out, and only after the date.
contract LiquidityLock {
    struct Lock {
        address owner;
        address token;
        uint256 amount;
        uint256 until;
    }

    Lock[] public locks;

    function lock(address token, uint256 amount, uint256 until) external {
        IShares(token).transferFrom(msg.sender, address(this), amount);
        locks.push(Lock(msg.sender, token, amount, until));
    }

    function withdraw(uint256 id) public virtual {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner, "Not yours");
        require(block.timestamp >= entry.until, "Still locked");
        uint256 amount = entry.amount;
        entry.amount = 0;
        IShares(entry.token).transfer(msg.sender, amount);
    }
}

/// @title A lock whose maker has a way around it
/// @notice As the one above for everybody to see. The maker may move what is stuck, and everything is stuck.
contract FakeLiquidityLock is LiquidityLock {
    address public immutable keeper = msg.sender;

    function recover(address token, address to) external {
        require(msg.sender == keeper, "Not the keeper");
        IShares(token).transfer(to, IShares(token).balanceOf(address(this)));
    }
}

/// @title A lock for one numbered position that holds
contract PositionLock {
    address public immutable owner = msg.sender;
    uint256 public immutable until;

    constructor(uint256 until_) {
        until = until_;
    }

    function release(IPositions manager, uint256 id) external {
        require(msg.sender == owner && block.timestamp >= until, "Still locked");
        manager.transferFrom(address(this), msg.sender, id);
    }
}
