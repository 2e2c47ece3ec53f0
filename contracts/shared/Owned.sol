// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice One account with privileges, the deployer at first.
abstract contract Owned {
    address public owner = msg.sender;

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    error NotOwner(address caller);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }
}
