// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";

/// @notice What {DynamicDeployment} makes.
contract DynamicDeploymentVault {
    address public immutable maker = msg.sender;
}

/// @title A token that is also a factory
/// @notice Anyone may have it deploy a contract with CREATE2 (EIP-1014).
/// @custom:example dynamic-deployment
/// @custom:expect dynamic-deployment
/// @custom:ignore kill-switch, hidden-proxy
contract DynamicDeployment is Erc20 {
    event VaultCreated(address indexed vault, address indexed creator);

    constructor() Erc20("Dynamic Deployment Example", "MAKE", 1_000_000) {}

    function createVault(bytes32 salt) external returns (address vault) {
        vault = address(new DynamicDeploymentVault{salt: salt}());
        emit VaultCreated(vault, msg.sender);
    }
}
