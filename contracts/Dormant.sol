// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";

/// @title A token that no holder has moved for weeks
/// @notice Harmless code; on the devnet its last trade lies a month back.
/// @custom:example dormant
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract Dormant is Erc20 {
    constructor() Erc20("Dormant Example", "SLEEP", 1_000_000) {}
}
