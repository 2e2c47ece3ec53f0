// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The owner needs no allowance.
/// @custom:expect allowance-bypass
contract AllowanceBypass is DetectorToken {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != _owner) {
            uint256 allowed = _allowances[from][msg.sender];
            require(allowed >= amount, "Allowance too low");
            _allowances[from][msg.sender] = allowed - amount;
        }
        _move(from, to, amount);
        return true;
    }
}

/// @notice One's own tokens need no allowance, and an unlimited one does not shrink.
/// @custom:ignore allowance-bypass
contract AllowanceBypassTwin is DetectorToken {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (msg.sender != from) {
            uint256 allowed = _allowances[from][msg.sender];
            if (allowed != ~uint256(0)) {
                require(allowed >= amount, "Allowance too low");
                _allowances[from][msg.sender] = allowed - amount;
            }
        }
        _move(from, to, amount);
        return true;
    }
}
