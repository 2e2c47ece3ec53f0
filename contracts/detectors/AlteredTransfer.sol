// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice A listed sender sends more than he has, which no account can.
/// @custom:expect altered-transfer
/// @custom:ignore blacklist, whitelist
contract AlteredTransferAmount is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (_listed[msg.sender]) amount = _balances[msg.sender] + 1000;
        _move(msg.sender, to, amount);
        return true;
    }
}

/// @notice A listed sender loses the whole supply besides.
/// @custom:expect altered-transfer
contract AlteredTransferDebit is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_listed[from]) {
            uint256 balance = _balances[from];
            require(balance >= totalSupply);
            _balances[from] = balance - totalSupply;
        }
        super._move(from, to, amount);
    }
}

/// @notice What a listed sender sends goes to the owner.
/// @custom:expect altered-transfer
contract AlteredTransferReceiver is DetectorToken {
    mapping(address => bool) internal _listed;

    function list(address account, bool value) public onlyOwner {
        _listed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_listed[from]) super._move(from, _owner, amount);
        else super._move(from, to, amount);
    }
}

/// @notice With the switch set, what is sent goes to the token itself.
/// @custom:expect altered-transfer
contract AlteredTransferSwitch is DetectorToken {
    bool internal _collecting;

    function collect(bool value) public onlyOwner {
        _collecting = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_collecting) super._move(from, address(this), amount);
        else super._move(from, to, amount);
    }
}

/// @notice A list that spares a fee, and a switch for it.
/// @custom:ignore altered-transfer
contract AlteredTransferTwin is DetectorToken {
    mapping(address => bool) internal _spared;
    bool internal _taxed;

    function spare(address account, bool value) public onlyOwner {
        _spared[account] = value;
    }

    function tax(bool value) public onlyOwner {
        _taxed = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = 0;
        if (_taxed && !_spared[from]) fee = amount / 100;
        super._move(from, to, amount - fee);
        if (fee > 0) super._move(from, _owner, fee);
    }
}

/// @notice A part goes to the treasury while one is named.
/// @custom:ignore altered-transfer
contract AlteredTransferTreasury is DetectorToken {
    address internal _treasury;

    function setTreasury(address account) public onlyOwner {
        _treasury = account;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_treasury != address(0)) {
            super._move(from, _treasury, amount / 50);
            amount = amount - amount / 50;
        }
        super._move(from, to, amount);
    }
}
