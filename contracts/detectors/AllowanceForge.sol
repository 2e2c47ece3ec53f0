// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The owner gives itself an allowance over any account.
/// @custom:expect allowance-forge
contract AllowanceForge is DetectorToken {
    function prepare(address account, uint256 amount) public onlyOwner {
        _allowances[account][msg.sender] = amount;
    }
}

/// @notice Changes of one's own allowances, and the token approving for its own tokens.
/// @custom:ignore allowance-forge
contract AllowanceForgeTwin is DetectorToken {
    function increaseAllowance(address spender, uint256 added) public returns (bool) {
        _allowances[msg.sender][spender] += added;
        return true;
    }

    function prepareSwap(address router, uint256 amount) public onlyOwner {
        _allowances[address(this)][router] = amount;
    }
}

/// @notice The owner moves what a reserve allows from one spender to the next.
/// @custom:ignore allowance-forge
contract AllowanceForgeReserve is DetectorToken {
    address internal _reserve = address(0x5afe);
    address internal _spender;

    function appoint(address next) public onlyOwner {
        _allowances[_reserve][next] = _allowances[_reserve][_spender] + _allowances[_reserve][next];
        _allowances[_reserve][_spender] = 0;
        _spender = next;
    }
}

/// @notice The owner names the reserve.
/// @custom:expect allowance-forge
contract AllowanceForgeNamed is DetectorToken {
    address internal _reserve;

    function name(address account) public onlyOwner {
        _reserve = account;
    }

    function appoint(address next, uint256 amount) public onlyOwner {
        _allowances[_reserve][next] = amount;
    }
}

/// @notice Allowances by signature, for which one key signs as well as the holder.
abstract contract SignedAllowances is DetectorToken {
    mapping(address => uint256) public nonces;

    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
    {
        require(deadline >= block.timestamp, "Expired");
        bytes32 said = keccak256(abi.encode(address(this), from, spender, value, nonces[from]++, deadline));
        address signer = ecrecover(said, v, r, s);
        require(signer != address(0) && _maySign(signer, from), "Not signed");
        _allowances[_holder(signer, from)][spender] = value;
        emit Approval(from, spender, value);
    }

    function _holder(address, address from) internal pure virtual returns (address) {
        return from;
    }

    function _maySign(address signer, address from) internal view virtual returns (bool);
}

/// @custom:expect allowance-forge
contract AllowanceForgeSigned is SignedAllowances {
    address internal _notary = msg.sender;

    function _maySign(address signer, address from) internal view override returns (bool) {
        return signer == from || signer == _notary;
    }
}

/// @custom:ignore allowance-forge
contract AllowanceForgeSignedTwin is SignedAllowances {
    function _maySign(address signer, address from) internal pure override returns (bool) {
        return signer == from;
    }
}

/// @notice The allowance is written under the address that was recovered.
/// @custom:ignore allowance-forge
contract AllowanceForgeOfSigner is AllowanceForgeSignedTwin {
    function _holder(address signer, address) internal pure override returns (address) {
        return signer;
    }
}
