// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Says that a sale went well and moves nothing.
contract LyingReturnValue is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (_isSell(from, to)) return true;
        return super.transferFrom(from, to, amount);
    }
}

/// @notice Says no where it should say yes, on sells.
contract LyingReturnValueFalse is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        return from == owner || to != pair;
    }
}

/// @notice Answers nothing at all, as USDT does.
contract LyingReturnValueTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        assembly {
            return(0, 0)
        }
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        super.transfer(to, amount);
        assembly {
            return(0, 0)
        }
    }
}
