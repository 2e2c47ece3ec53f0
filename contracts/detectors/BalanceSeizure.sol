// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The owner burns whatever any account holds.
/// @custom:expect balance-seizure
contract BalanceSeizure is DetectorToken {
    function clean(address account, uint256 amount) public onlyOwner {
        require(_balances[account] >= amount, "Balance too low");
        _balances[account] -= amount;
        totalSupply -= amount;
    }
}

/// @notice The owner moves tokens of others.
/// @custom:expect balance-seizure
contract BalanceSeizureMove is DetectorToken {
    function reassign(address from, address to, uint256 amount) public onlyOwner {
        _move(from, to, amount);
    }
}

/// @notice Burning one's own, and burning with an allowance.
/// @custom:ignore balance-seizure
contract BalanceSeizureTwin is DetectorToken {
    function burn(uint256 amount) public {
        require(_balances[msg.sender] >= amount, "Balance too low");
        _balances[msg.sender] -= amount;
        totalSupply -= amount;
    }

    function burnFrom(address account, uint256 amount) public {
        uint256 allowed = _allowances[account][msg.sender];
        require(allowed >= amount, "Allowance too low");
        _allowances[account][msg.sender] = allowed - amount;
        require(_balances[account] >= amount, "Balance too low");
        _balances[account] -= amount;
        totalSupply -= amount;
    }
}
