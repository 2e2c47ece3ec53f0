// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IShares {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
    function approve(address spender, uint256 amount) external returns (bool);
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

/// @title A lock whose maker sets the date
contract DateLock is LiquidityLock {
    address public immutable keeper = msg.sender;

    function setDate(uint256 id, uint256 until) external {
        require(msg.sender == keeper, "Not the keeper");
        locks[id].until = until;
    }
}

/// @title A lock whose maker names who may open it
contract NamedUnlockerLock is LiquidityLock {
    address public immutable keeper = msg.sender;
    address public unlocker;

    function setUnlocker(address who) external {
        require(msg.sender == keeper, "Not the keeper");
        unlocker = who;
    }

    function release(uint256 id) external {
        require(msg.sender == unlocker, "Not the unlocker");
        Lock storage entry = locks[id];
        IShares(entry.token).transfer(msg.sender, entry.amount);
        entry.amount = 0;
    }
}

/// @title A lock that moves to where its maker says
contract MigratorLock is LiquidityLock {
    address public immutable keeper = msg.sender;
    address public migrator;

    function setMigrator(address to) external {
        require(msg.sender == keeper, "Not the keeper");
        migrator = to;
    }

    function migrate(uint256 id) external {
        require(migrator != address(0), "Not set");
        Lock storage entry = locks[id];
        IShares(entry.token).transfer(migrator, entry.amount);
        entry.amount = 0;
    }
}

/// @title A lock whose date is compared in full, and kept in forty bits
contract CutDateLock is LiquidityLock {
    function extend(uint256 id, uint256 until) external {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner && until > entry.until, "Not longer");
        entry.until = uint40(until);
    }
}

/// @title A lock that can be made longer by so many seconds that its date begins anew
contract WrappedTermLock is LiquidityLock {
    function prolong(uint256 id, uint256 term) external {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner, "Not yours");
        unchecked {
            entry.until += term;
        }
    }
}

/// @title A lock that can only be made longer
contract LongerLock is LiquidityLock {
    function extend(uint256 id, uint256 until) external {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner && until > entry.until, "Not longer");
        entry.until = until;
    }

    function prolong(uint256 id, uint256 term) external {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner, "Not yours");
        entry.until += term;
    }
}

/// @title A lock whose owner lends what lies in it to a contract of his
contract LentLock is LiquidityLock {
    function earn(uint256 id, address strategy) external {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner && strategy.code.length > 0, "Not possible");
        IShares(entry.token).approve(strategy, entry.amount);
    }
}

/// @title A lock whose code its maker can exchange
contract UpgradableLock is LiquidityLock {
    address public immutable keeper = msg.sender;

    function upgradeTo(address code) external {
        require(msg.sender == keeper && code.code.length > 0, "Not possible");
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, code)
        }
    }

    fallback() external {
        assembly {
            let code := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            if iszero(code) { revert(0, 0) }
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @title A lock that can move into a newer one, until the same date
contract MovingLock is LiquidityLock {
    address public immutable keeper = msg.sender;
    LiquidityLock public immutable successor = new LockSuccessor();

    function migrate(uint256 id) external {
        Lock storage entry = locks[id];
        require(msg.sender == entry.owner, "Not yours");
        uint256 amount = entry.amount;
        entry.amount = 0;
        IShares(entry.token).transfer(address(successor), amount);
        LockSuccessor(address(successor)).take(entry.owner, entry.token, amount, entry.until);
    }

    /// The date can only be put off.
    function extend(uint256 id, uint256 until) external {
        require(msg.sender == locks[id].owner && until > locks[id].until, "Not possible");
        locks[id].until = until;
    }
}

/// @title The newer lock
contract LockSuccessor is LiquidityLock {
    address internal immutable maker = msg.sender;

    function take(address owner, address token, uint256 amount, uint256 until) external {
        require(msg.sender == maker, "Not the maker");
        locks.push(Lock(owner, token, amount, until));
    }
}

/// @title A lock that passes what it keeps on to an heir
/// @notice The heir has to be a contract, as a next version of the lock would be. Any contract will do.
contract HeirLock is LiquidityLock {
    mapping(uint256 => address) public heirs;

    function propose(uint256 id, address heir) external {
        require(msg.sender == locks[id].owner && heir.code.length > 0, "Not yours");
        heirs[id] = heir;
    }

    function takeOver(uint256 id) external {
        require(msg.sender == heirs[id], "No heir");
        uint256 amount = locks[id].amount;
        locks[id].amount = 0;
        IShares(locks[id].token).transfer(msg.sender, amount);
    }
}

/// @title A lock that can be given to another, who waits as well
contract GiftedLock is LiquidityLock {
    mapping(uint256 => address) public heirs;

    function propose(uint256 id, address heir) external {
        require(msg.sender == locks[id].owner && heir.code.length > 0, "Not yours");
        heirs[id] = heir;
    }

    function takeOver(uint256 id) external {
        require(msg.sender == heirs[id], "No heir");
        locks[id].owner = msg.sender;
    }
}
