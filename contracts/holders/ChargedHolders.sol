// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {Owned} from "../shared/Owned.sol";

/// @title A token whose owner taxes accounts one by one
/// @notice A first purchase is sold without a tax. Those who are listed sell too, and lose what the owner has set.
contract ChargedHolders is Erc20, Owned {
    mapping(address => uint256) public percentOf;

    constructor() Erc20("Charged Holders", "CHARGE", 1_000_000) {}

    function charge(address[] calldata people, uint256 percent) external onlyOwner {
        for (uint256 i = 0; i < people.length; i++) percentOf[people[i]] = percent;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = (amount * percentOf[from]) / 100;
        if (fee > 0) super._move(from, owner, fee);
        super._move(from, to, amount - fee);
    }
}
