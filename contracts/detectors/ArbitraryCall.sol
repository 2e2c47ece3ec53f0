// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @notice Its operator makes it call anything.
/// @custom:expect arbitrary-call
contract ArbitraryCall {
    address internal _operator;

    constructor() {
        _operator = msg.sender;
    }

    function execute(address target, bytes memory data) public {
        require(msg.sender == _operator, "No");
        (bool done, ) = target.call(data);
        require(done, "Failed");
    }
}

/// @notice Any address makes it call anything, so that no wallet leaves it an allowance (the shape of Multicall).
/// @custom:ignore arbitrary-call
contract ArbitraryCallTwin {
    function execute(address target, bytes memory data) public {
        (bool done, ) = target.call(data);
        require(done, "Failed");
    }
}
