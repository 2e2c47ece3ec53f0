// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Says that it has no owner; somebody else keeps the power to stop transfers.
/// @custom:expect hidden-owner, blacklist
contract HiddenOwner is DetectorToken {
    address internal _shadow;
    mapping(address => bool) internal _listed;

    constructor() {
        _shadow = msg.sender;
        _owner = address(0);
    }

    function note(address account, bool value) public {
        require(msg.sender == _shadow, "No");
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_listed[from], "Listed");
        super._move(from, to, amount);
    }
}

/// @notice A disguised check of the caller.
/// @custom:expect hidden-owner, blacklist
contract HiddenOwnerDerived is DetectorToken {
    bytes32 internal constant SEAL = 0x8b1a944cf13a9a1c08facb2c9e98623ef3254d2ddb48113885c3e8e97fec8db9;
    mapping(address => bool) internal _listed;

    function note(address account, bool value) public {
        require(keccak256(abi.encodePacked(msg.sender)) == SEAL, "No");
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_listed[from], "Listed");
        super._move(from, to, amount);
    }
}

/// @notice A visible owner, and a collector of fees who can only name its successor.
/// @custom:ignore hidden-owner
contract HiddenOwnerTwin is DetectorToken {
    address internal _collector;

    constructor() {
        _collector = msg.sender;
    }

    function setCollector(address next) public {
        require(msg.sender == _collector, "No");
        _collector = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, _collector, amount / 100);
        super._move(from, to, amount - amount / 100);
    }
}
