// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Refuses the known router as the one who fetches the tokens of a sell.
contract RouterBlock is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        require(msg.sender != router || from == owner, "Not by this router");
        return super.transferFrom(from, to, amount);
    }
}

/// @notice Routers on a list pay no fee for what they fetch; no sale is refused.
contract RouterBlockTwin is TrapToken {
    mapping(address => bool) public isExempt;

    constructor(address router_) TrapToken(router_) {
        isExempt[router_] = true;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isTrade(from, to) && !isExempt[msg.sender] && to == pair ? 4 : 0;
    }
}
