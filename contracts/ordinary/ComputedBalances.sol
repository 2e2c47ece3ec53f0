// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";

/// @notice EIP-20 with a pair, whose balances are computed from what is kept of each account.
abstract contract ComputedBalances {
    uint8 public constant decimals = 18;
    address public immutable pair;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(IUniswapV2Router router) {
        pair = IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
    }

    function balanceOf(address account) public view virtual returns (uint256);

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
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function _spend(address from, uint256 amount) internal virtual {
        allowance[from][msg.sender] -= amount;
    }

    function _move(address from, address to, uint256 amount) internal virtual;
}
