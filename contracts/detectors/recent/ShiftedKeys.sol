// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {DetectorToken} from "../DetectorToken.sol";

/// @notice Allowances at hashes of an address that is shifted above a seed, and the spender (the layout of Solady's ERC20).
abstract contract ShiftedKeys is DetectorToken {
    uint256 private constant SEED = 0x5eed0a11;

    function approve(address spender, uint256 amount) public override returns (bool) {
        assembly {
            mstore(0x20, spender)
            mstore(0x0c, SEED)
            mstore(0x00, caller())
            sstore(keccak256(0x0c, 0x34), amount)
        }
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function allowance(address holder, address spender) public view override returns (uint256 amount) {
        assembly {
            mstore(0x20, spender)
            mstore(0x0c, SEED)
            mstore(0x00, holder)
            amount := sload(keccak256(0x0c, 0x34))
        }
    }

    function _spend(address from, uint256 amount) internal {
        assembly {
            let shifted := shl(96, from)
            mstore(0x20, caller())
            mstore(0x0c, or(shifted, SEED))
            let place := keccak256(0x0c, 0x34)
            let allowed := sload(place)
            if gt(amount, allowed) { revert(0, 0) }
            sstore(place, sub(allowed, amount))
        }
    }
}

/// @custom:ignore allowance-bypass, allowance-forge
contract ShiftedKeysTwin is ShiftedKeys {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }
}

/// @notice The owner writes what others are said to allow.
/// @custom:expect allowance-forge
contract ShiftedKeysForged is ShiftedKeys {
    uint256 private constant SEED = 0x5eed0a11;

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function prepare(address holder, uint256 amount) public onlyOwner {
        assembly {
            let shifted := shl(96, holder)
            mstore(0x20, caller())
            mstore(0x0c, or(shifted, SEED))
            sstore(keccak256(0x0c, 0x34), amount)
        }
    }
}
