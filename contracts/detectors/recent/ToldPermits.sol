// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "../DetectorToken.sol";

interface IHearsOfPermits {
    function onPermit(address holder, uint256 amount, string calldata memo, bytes calldata data) external returns (bool);
}

/// @notice Holders permit by signature, and who is permitted hears of it with words and data.
/// @custom:ignore allowance-forge
contract AllowanceForgeTold is DetectorToken {
    mapping(address => uint256) public nonces;

    function permitAndTell(
        address holder,
        address spender,
        uint256 amount,
        uint8 v,
        bytes32 r,
        bytes32 s,
        string memory memo,
        bytes memory data
    ) public {
        bytes32 said = keccak256(abi.encode(address(this), holder, spender, amount, nonces[holder]++));
        address signer = ecrecover(said, v, r, s);
        require(signer != address(0) && signer == holder, "Not signed");
        _allowances[holder][spender] = amount;
        bytes memory call = abi.encodeWithSelector(IHearsOfPermits.onPermit.selector, holder, amount, memo, data);
        (bool works, bytes memory answer) = spender.call(call);
        require(works && abi.decode(answer, (bool)), "Not heard");
    }
}

/// @notice The same, for any account that the owner signs for, by a difference that is below one.
/// @custom:expect allowance-forge
contract AllowanceForgeToldByOwner is DetectorToken {
    function permitAndTell(address holder, address spender, uint256 amount, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 said = keccak256(abi.encode(address(this), holder, spender, amount));
        uint256 apart = uint256(uint160(ecrecover(said, v, r, s))) ^ uint256(uint160(_owner));
        require(apart < 1, "Not signed");
        _allowances[holder][spender] = amount;
    }
}
