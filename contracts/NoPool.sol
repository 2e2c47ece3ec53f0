// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";

/// @title A token that trades nowhere
/// @notice Harmless code; on the devnet it has holders and no pool.
/// @custom:example no-pool
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract NoPool is Erc20 {
    constructor() Erc20("No Pool Example", "ALONE", 1_000_000) {}
}
