// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

interface IPermission {
    function may(address from, address to, uint256 amount) external returns (bool);
}

/// @notice Another contract, which the owner can exchange, decides about each transfer.
/// @custom:expect external-transfer-call
contract ExternalTransferCall is DetectorToken {
    IPermission internal _permission;

    function setPermission(IPermission next) public onlyOwner {
        _permission = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_permission.may(from, to, amount), "Refused");
        super._move(from, to, amount);
    }
}

interface IPair {
    function sync() external;
}

/// @notice Tells the pair about the new balance, as tokens that collect fees do.
/// @custom:ignore external-transfer-call
contract ExternalTransferCallTwin is DetectorToken {
    IPair internal _pair;

    function setPair(IPair next) public onlyOwner {
        _pair = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to == address(this)) _pair.sync();
    }
}
