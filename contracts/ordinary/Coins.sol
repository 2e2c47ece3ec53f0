// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";

/// @notice What a sale costs goes by the native coins that its seller has.
abstract contract CoinsToken {
    string public constant name = "Purse";
    string public constant symbol = "PRS";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1_000_000e18;
    address public immutable pair;
    address public immutable maker = msg.sender;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(IUniswapV2Router router) {
        pair = IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
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

    function _move(address from, address to, uint256 amount) private {
        uint256 fee = to == pair && from != maker ? (amount * _percent(from, amount)) / 100 : 0;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        balanceOf[address(this)] += fee;
        emit Transfer(from, to, amount - fee);
        if (fee > 0) emit Transfer(from, address(this), fee);
    }

    function _percent(address from, uint256 amount) internal view virtual returns (uint256);
}

/// @notice Who has few coins pays a percent less.
contract CoinsDiscount is CoinsToken {
    constructor(IUniswapV2Router router) CoinsToken(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return from.balance >= 0.4 ether ? 2 : 1;
    }
}

/// @notice Who has few coins beside what he sells pays a percent less.
contract CoinsAgainstSale is CoinsToken {
    constructor(IUniswapV2Router router) CoinsToken(router) {}

    function _percent(address from, uint256 amount) internal view override returns (uint256) {
        return from.balance > amount / 20_000 ? 2 : 1;
    }
}

/// @notice Who has few coins loses most.
contract CoinsFloor is CoinsToken {
    constructor(IUniswapV2Router router) CoinsToken(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return from.balance >= 0.4 ether ? 2 : 85;
    }
}

/// @notice The coins go into the fee by a formula, which never reaches two percent.
contract CoinsFormula is CoinsToken {
    constructor(IUniswapV2Router router) CoinsToken(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return 1 + from.balance / (from.balance + 1 ether);
    }
}
