// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @notice Its operator takes the tokens of everybody who approved it.
/// @custom:expect allowance-puller
contract AllowancePuller {
    address internal _operator;

    constructor() {
        _operator = msg.sender;
    }

    function collect(IToken token, address from, uint256 amount) public {
        require(msg.sender == _operator, "No");
        require(token.transferFrom(from, _operator, amount), "Failed");
    }
}

/// @notice Takes from the caller alone, and remembers it.
/// @custom:ignore allowance-puller
contract AllowancePullerTwin {
    mapping(address => uint256) public deposited;

    function stake(IToken token, uint256 amount) public {
        deposited[msg.sender] += amount;
        require(token.transferFrom(msg.sender, address(this), amount), "Failed");
    }
}
