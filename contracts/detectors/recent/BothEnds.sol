// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @notice Mints, burns and transfers by one function, which a transfer tells what it has refused.
/// @custom:ignore fake-transfer-event
contract FakeTransferEventOfBothEnds {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 value);
    error Refused(address account);

    constructor() {
        _update(address(0), msg.sender, 1e24);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        allowance[from][msg.sender] -= value;
        _transfer(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) public returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function burn(uint256 value) public {
        _update(msg.sender, address(0), value);
    }

    function _transfer(address from, address to, uint256 value) private {
        if (from == address(0)) revert Refused(from);
        if (to == address(0)) revert Refused(to);
        _update(from, to, value);
    }

    function _update(address from, address to, uint256 value) private {
        if (from == address(0)) totalSupply += value;
        else {
            uint256 held = balanceOf[from];
            if (held < value) revert Refused(from);
            unchecked {
                balanceOf[from] = held - value;
            }
        }
        unchecked {
            if (to == address(0)) totalSupply -= value;
            else balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}
