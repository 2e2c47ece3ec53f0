// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Only the owner can send to the pair.
/// @custom:expect privileged-transfer
contract PrivilegedTransfer is DetectorToken {
    address internal _pair = address(0x00000000000000000000000000000000DeaDBeef);

    function setPair(address next) public onlyOwner {
        _pair = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == _pair) require(from == _owner, "No");
        super._move(from, to, amount);
    }
}

/// @notice Others than the owner can send next to nothing to the pair.
/// @custom:expect privileged-transfer
contract PrivilegedTransferDust is DetectorToken {
    address internal _pair = address(0x00000000000000000000000000000000DeaDBeef);

    function setPair(address next) public onlyOwner {
        _pair = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == _pair && from != _owner) require(amount < 100, "No");
        super._move(from, to, amount);
    }
}

/// @notice Sells pay a fee, and everybody can make them.
/// @custom:ignore privileged-transfer
contract PrivilegedTransferTwin is DetectorToken {
    address internal _pair = address(0x00000000000000000000000000000000DeaDBeef);

    function setPair(address next) public onlyOwner {
        _pair = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(from != to, "Same");
        if (to == _pair && from != _owner) {
            super._move(from, address(this), amount / 100);
            super._move(from, to, amount - amount / 100);
        } else {
            super._move(from, to, amount);
        }
    }
}

/// @notice The owner is spared from a limit, of which others can send a thousandth at a time.
/// @custom:ignore privileged-transfer
contract PrivilegedTransferLimit is DetectorToken {
    uint256 public largest = 1000 ether;

    function _move(address from, address to, uint256 amount) internal override {
        if (from != _owner && to != _owner) require(amount <= largest, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice The limit is next to nothing.
/// @custom:expect privileged-transfer
contract PrivilegedTransferTinyLimit is DetectorToken {
    uint256 public largest = 0.001 ether;

    function _move(address from, address to, uint256 amount) internal override {
        if (from != _owner && to != _owner) require(amount <= largest, "Too much");
        super._move(from, to, amount);
    }
}
