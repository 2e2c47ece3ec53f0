// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";
import {Owned} from "./shared/Owned.sol";

/// @title A token that its owner can destroy
/// @notice Trades like any other until `close` is called. Since EIP-6780 the code survives that and the native coin leaves.
/// @custom:example kill-switch
/// @custom:expect kill-switch
/// @custom:ignore hidden-proxy, dynamic-deployment
contract KillSwitch is Erc20, Owned {
    constructor() Erc20("Kill Switch Example", "KILL", 1_000_000) {}

    function close() external onlyOwner {
        selfdestruct(payable(owner));
    }
}
