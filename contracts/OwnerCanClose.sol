// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";
import {Owned} from "./shared/Owned.sol";

/// @title A token that trades perfectly, as long as its owner likes
/// @notice No fee and no limit, until the owner calls `setClosed`: then everybody can buy and only the owner can sell.
/// @custom:example owner-can-close
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract OwnerCanClose is Erc20, Owned {
    bool private closed;

    error Closed();

    constructor() Erc20("Owner Can Close Example", "CLOSE", 1_000_000) {}

    function setClosed(bool next) external onlyOwner {
        closed = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (closed && from != owner && to.code.length > 0) revert Closed();
        super._move(from, to, amount);
    }
}
