// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

interface PowerRouter {
    function factory() external view returns (address);
    function WETH() external view returns (address);
}

interface PowerFactory {
    function createPair(address tokenA, address tokenB) external returns (address);
}

/// @notice An ordinary token that trades without any tax. Each fixture gives an account one power over it.
abstract contract PowerToken {
    string public name = "Harbour";
    string public symbol = "HARB";
    uint8 public decimals = 18;
    uint256 public totalSupply;
    address public owner;
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
        pair = PowerFactory(PowerRouter(router_).factory()).createPair(address(this), PowerRouter(router_).WETH());
        _issue(msg.sender, 1000000 ether);
    }

    function balanceOf(address who) public view virtual returns (uint256) {
        return _held[who];
    }

    function allowance(address from, address spender) public view returns (uint256) {
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
        if (_needsAllowance(msg.sender)) {
            require(_allowed[from][msg.sender] >= amount, "Allowance too small");
            _allowed[from][msg.sender] -= amount;
        }
        _move(from, to, amount);
        return true;
    }

    function _needsAllowance(address) internal view virtual returns (bool) {
        return true;
    }

    function _issue(address to, uint256 amount) internal {
        totalSupply += amount;
        _held[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function _isSell(address from, address to) internal view returns (bool) {
        return to == pair && from != owner;
    }

    function _check(address from, address to, uint256 amount) internal view virtual {}

    function _feePercent(address, address) internal view virtual returns (uint256) {
        return 0;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        _check(from, to, amount);
        uint256 fee = (amount * _feePercent(from, to)) / 100;
        require(fee <= amount, "Fee above the amount");
        require(_held[from] >= amount, "Balance too small");
        _held[from] -= amount;
        _held[to] += amount - fee;
        if (fee > 0) _held[address(this)] += fee;
        emit Transfer(from, to, amount - fee);
    }
}
