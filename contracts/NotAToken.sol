// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A contract that is no token
/// @notice A guest book: it answers none of the calls of EIP-20 and accepts no native coin.
/// @custom:example not-a-token
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract NotAToken {
    mapping(address => string) public entryOf;

    event Signed(address indexed guest, string entry);

    function sign(string calldata entry) external {
        entryOf[msg.sender] = entry;
        emit Signed(msg.sender, entry);
    }
}
