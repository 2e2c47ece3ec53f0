// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Only those on a list may sell.
contract SellWhitelist is TrapToken {
    mapping(address => bool) internal _mayTrade;

    constructor(address router_) TrapToken(router_) {
        _mayTrade[msg.sender] = true;
        _mayTrade[pair] = true;
    }

    function allow(address who) public onlyOwner {
        _mayTrade[who] = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_mayTrade[from], "Not allowed");
        super._move(from, to, amount);
    }
}

/// @notice The list counts only before trading was opened, which cannot be taken back.
contract SellWhitelistTwin is TrapToken {
    mapping(address => bool) internal _mayTrade;
    bool public isOpen;

    constructor(address router_) TrapToken(router_) {
        _mayTrade[msg.sender] = true;
    }

    function open() public onlyOwner {
        isOpen = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(isOpen || _mayTrade[from], "Not open yet");
        super._move(from, to, amount);
    }
}
