// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

interface TrapRouter {
    function factory() external view returns (address);
    function WETH() external view returns (address);
}

interface TrapFactory {
    function createPair(address tokenA, address tokenB) external returns (address);
}

/// @notice An ordinary token that opens its own pair. Each trap changes one thing about it.
abstract contract TrapToken {
    string public name = "Lantern";
    string public symbol = "LANT";
    uint8 public decimals = 18;
    uint256 public totalSupply;
    address public owner;
    address public router;
    address public pair;
    mapping(address => uint256) internal _held;
    mapping(address => mapping(address => uint256)) internal _allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner, "Only the owner");
        _;
    }

    constructor(address router_) {
        owner = msg.sender;
        router = router_;
        pair = TrapFactory(TrapRouter(router_).factory()).createPair(address(this), TrapRouter(router_).WETH());
        _mint(msg.sender, 1000000 ether);
    }

    function balanceOf(address who) public view virtual returns (uint256) {
        return _held[who];
    }

    function allowance(address from, address spender) public view virtual returns (uint256) {
        return _allowed[from][spender];
    }

    function approve(address spender, uint256 amount) public virtual returns (bool) {
        _allowed[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) public virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public virtual returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function _spend(address from, uint256 amount) internal virtual {
        require(_allowed[from][msg.sender] >= amount, "Allowance too small");
        _allowed[from][msg.sender] -= amount;
    }

    function _mint(address to, uint256 amount) internal virtual {
        totalSupply += amount;
        _held[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @dev Whether the owner neither sells nor buys here: its own transfers are never restricted.
    function _isTrade(address from, address to) internal view returns (bool) {
        return from != owner && to != owner;
    }

    function _isSell(address from, address to) internal view returns (bool) {
        return to == pair && from != owner;
    }

    function _isBuy(address from, address to) internal view returns (bool) {
        return from == pair && to != owner;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        uint256 fee = (amount * _feePercent(from, to)) / 100;
        require(_held[from] >= amount, "Balance too small");
        _held[from] -= amount;
        _held[to] += amount - fee;
        if (fee > 0) {
            _held[address(this)] += fee;
            emit Transfer(from, address(this), fee);
        }
        emit Transfer(from, to, amount - fee);
    }

    function _feePercent(address, address) internal view virtual returns (uint256) {
        return 0;
    }
}
