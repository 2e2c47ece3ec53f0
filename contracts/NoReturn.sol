// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token that answers nothing
/// @notice `transfer`, `transferFrom` and `approve` succeed without the bool that EIP-20 asks for, and an allowance must be
/// set to zero before it is changed, as USDT does.
/// @custom:example no-return
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract NoReturn {
    string public constant name = "No Return Example";
    string public constant symbol = "MUTE";
    uint8 public constant decimals = 6;
    uint256 public constant totalSupply = 1_000_000e6;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
