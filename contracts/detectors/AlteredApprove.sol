// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Stores nothing but says it did.
/// @custom:expect altered-approve
contract AlteredApprove is DetectorToken {
    function approve(address spender, uint256 amount) public override returns (bool) {
        if (msg.sender == _owner) _allowances[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }
}

/// @notice Approves one unit instead of what was asked.
/// @custom:expect altered-approve
contract AlteredApproveAmount is DetectorToken {
    function approve(address spender, uint256 amount) public override returns (bool) {
        _allowances[msg.sender][spender] = 1;
        emit Approval(msg.sender, spender, amount);
        return true;
    }
}

/// @notice Demands that an allowance be zero before it is changed.
/// @custom:ignore altered-approve
contract AlteredApproveTwin is DetectorToken {
    function approve(address spender, uint256 amount) public override returns (bool) {
        require(amount == 0 || _allowances[msg.sender][spender] == 0, "Set to zero first");
        _allowances[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }
}
