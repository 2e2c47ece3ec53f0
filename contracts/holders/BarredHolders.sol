// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {Owned} from "../shared/Owned.sol";

/// @title A token whose owner bars people one by one, or empties them
/// @notice A first buyer can sell. Those who are listed cannot, and those who are emptied have nothing left, without an event.
contract BarredHolders is Erc20, Owned {
    mapping(address => bool) public isBarred;

    constructor() Erc20("Barred Holders", "BARRED", 1_000_000) {}

    function bar(address[] calldata people) external onlyOwner {
        for (uint256 i = 0; i < people.length; i++) isBarred[people[i]] = true;
    }

    function empty(address[] calldata people) external onlyOwner {
        for (uint256 i = 0; i < people.length; i++) balanceOf[people[i]] = 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!isBarred[from], "You are barred");
        super._move(from, to, amount);
    }
}
