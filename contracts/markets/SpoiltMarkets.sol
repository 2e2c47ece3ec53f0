// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IAnyPool {
    function sync() external;
    function token0() external view returns (address);
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external;
}

/// @notice An ordinary token that is told where it trades. Each fixture does something to the price there before its holders sell.
abstract contract MarketToken {
    string public constant name = "Ferry";
    string public constant symbol = "FERY";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    address public immutable maker = msg.sender;
    address public pool;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        _mint(msg.sender, 1_000_000e18);
    }

    function setPool(address pool_) external {
        require(msg.sender == maker && pool == address(0), "Set");
        pool = pool_;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        if (pool != address(0) && msg.sender != maker) _onApproval();
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _onApproval() internal virtual {}

    function _onTransfer(address from, address to) internal virtual {}

    /// @dev Nine times what the pool has, or what the twin gives.
    function _gift() internal view virtual returns (uint256) {
        return balanceOf[pool] * 9;
    }

    function _move(address from, address to, uint256 amount) internal {
        if (pool != address(0) && from != maker && to != maker) _onTransfer(from, to);
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _mint(address to, uint256 amount) internal {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }
}

/// @notice Each sale first gives the pool nine times what it has.
contract SpoiltBySale is MarketToken {
    function _onTransfer(address, address to) internal override {
        if (to != pool) return;
        _mint(pool, _gift());
        IAnyPool(pool).sync();
    }
}

contract SpoiltBySaleTwin is SpoiltBySale {
    function _gift() internal view override returns (uint256) {
        return balanceOf[pool] / 50;
    }
}

/// @notice Each purchase leaves nine times what the pool has behind.
contract SpoiltByPurchase is MarketToken {
    function _onTransfer(address from, address) internal override {
        if (from == pool) _mint(pool, _gift());
    }
}

contract SpoiltByPurchaseTwin is SpoiltByPurchase {
    function _gift() internal view override returns (uint256) {
        return balanceOf[pool] / 50;
    }
}

/// @notice Who allows anything to be sold finds the price gone: the pool of Uniswap V2 or Solidly was given tokens.
contract SpoiltByApproval is MarketToken {
    function _onApproval() internal override {
        _mint(pool, _gift());
        IAnyPool(pool).sync();
    }
}

contract SpoiltByApprovalTwin is SpoiltByApproval {
    function _gift() internal view override returns (uint256) {
        return balanceOf[pool] / 50;
    }
}

/// @notice The same where liquidity is concentrated: new tokens are sold ahead of the holder.
contract SoldAheadByApproval is MarketToken {
    uint160 private constant LEAST = 4295128740;
    uint160 private constant MOST = 1461446703485210103287273052203988822378723970341;

    function _onApproval() internal override {
        bool isFirst = IAnyPool(pool).token0() == address(this);
        IAnyPool(pool).swap(maker, isFirst, int256(_gift()), isFirst ? LEAST : MOST, "");
    }

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata) external {
        require(msg.sender == pool, "Only the pool");
        _mint(pool, uint256(amount0 > 0 ? amount0 : amount1));
    }
}

contract SoldAheadByApprovalTwin is SoldAheadByApproval {
    function _gift() internal view override returns (uint256) {
        return balanceOf[pool] / 50;
    }
}
