// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";

/// @title A token that trades on Uniswap V3 alone
/// @notice Harmless code; on the devnet its only pool is of the 0.3 % tier.
/// @custom:example v3-only
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract V3Only is Erc20 {
    constructor() Erc20("V3 Only Example", "CONC", 1_000_000) {}
}
