// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {DetectorToken} from "../DetectorToken.sol";

/// @notice Shares for what is pulled in by a call whose data are stored from their end, one word over the other (the way of Solady's SafeTransferLib).
abstract contract OverlaidCall is DetectorToken {
    address internal constant ASSET = 0x00000000000000000000000000000000000a55E7;

    function deposit(uint256 amount, address to) external {
        _pull(_payee(), amount);
        totalSupply += amount;
        _balances[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function _payee() internal view virtual returns (address);

    function _pull(address to, uint256 amount) private {
        address asset = ASSET;
        assembly {
            let free := mload(0x40)
            mstore(0x60, amount)
            mstore(0x40, to)
            mstore(0x2c, shl(96, caller()))
            mstore(0x0c, 0x23b872dd000000000000000000000000)
            let answered := call(gas(), asset, 0, 0x1c, 0x64, 0x00, 0x20)
            if iszero(and(eq(mload(0x00), 1), answered)) { revert(0, 0) }
            mstore(0x60, 0)
            mstore(0x40, free)
        }
    }
}

/// @notice What is paid stays.
/// @custom:ignore hidden-mint
contract PaidByOverlaidCall is OverlaidCall {
    function _payee() internal view override returns (address) {
        return address(this);
    }
}

/// @notice What is paid goes back to who pays.
/// @custom:expect hidden-mint
contract UnpaidByOverlaidCall is OverlaidCall {
    function _payee() internal view override returns (address) {
        return msg.sender;
    }
}
