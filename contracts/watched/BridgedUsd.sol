// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {Owned} from "../shared/Owned.sol";

/// @title A dollar in the shape of BSC-USD
/// @notice 18 decimals, and an owner that mints what crosses the bridge.
contract BridgedUsd is Erc20, Owned {
    constructor(uint256 wholeTokens) Erc20("Tether USD", "USDT", wholeTokens) {}

    function getOwner() external view returns (address) {
        return owner;
    }

    function mint(uint256 amount) external onlyOwner returns (bool) {
        _mint(owner, amount);
        return true;
    }
}
