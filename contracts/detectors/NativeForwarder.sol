// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @notice Sends what is paid on to two fixed receivers.
/// @custom:expect native-forwarder
contract NativeForwarder {
    address payable internal _operator;
    address payable internal _affiliate;

    constructor() {
        _operator = payable(msg.sender);
        _affiliate = payable(msg.sender);
    }

    function claim() public payable {
        _operator.transfer((msg.value * 20) / 100);
        _affiliate.transfer((msg.value * 80) / 100);
    }
}

/// @notice Keeps book of what was paid and gives it back on demand.
/// @custom:ignore native-forwarder
contract NativeForwarderTwin {
    mapping(address => uint256) public deposited;

    function deposit() public payable {
        deposited[msg.sender] += msg.value;
    }

    function withdraw() public {
        uint256 amount = deposited[msg.sender];
        deposited[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
