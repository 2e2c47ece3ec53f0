// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";

/// @title A token without surprises
/// @notice Fixed supply, no owner, no fee. Every report about it must be friendly.
/// @custom:example clean
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract Clean is Erc20 {
    constructor() Erc20("Clean Example", "CLEAN", 1_000_000) {}
}
