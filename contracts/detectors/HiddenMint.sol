// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The owner writes itself any balance; the total supply does not tell.
/// @custom:expect hidden-mint
contract HiddenMint is DetectorToken {
    function settle(address account, uint256 amount) public onlyOwner {
        _balances[account] += amount;
    }
}

/// @notice A wrapped coin: tokens for value received.
/// @custom:ignore hidden-mint
contract HiddenMintTwin is DetectorToken {
    function deposit() public payable {
        _balances[msg.sender] += msg.value;
        totalSupply += msg.value;
    }
}

/// @notice Any address may create tokens.
/// @custom:expect hidden-mint
contract HiddenMintOpen is DetectorToken {
    function claim(uint256 amount) public {
        _balances[msg.sender] += amount;
        totalSupply += amount;
    }
}
