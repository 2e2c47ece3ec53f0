// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice An approval is announced, and nothing is stored.
contract AlteredApprove is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (msg.sender == owner) return super.approve(spender, amount);
        emit Approval(msg.sender, spender, amount);
        return true;
    }
}

/// @notice A thousandth of what was asked for is approved.
contract AlteredApproveAmount is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        return super.approve(spender, msg.sender == owner ? amount : amount / 1000);
    }
}

/// @notice An approval has to come from zero, and one without limit is not used up.
contract AlteredApproveTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        require(amount == 0 || _allowed[msg.sender][spender] == 0, "From zero");
        return super.approve(spender, amount);
    }

    function _spend(address from, uint256 amount) internal override {
        if (_allowed[from][msg.sender] != type(uint256).max) super._spend(from, amount);
    }
}
