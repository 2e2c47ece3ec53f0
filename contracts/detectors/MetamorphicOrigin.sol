// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @notice Deploys to one address, again and again, whatever code lies at the address it names to the new contract.
/// @custom:expect metamorphic-origin
/// @custom:ignore hidden-proxy
contract MetamorphicOrigin {
    address internal _owner;
    address public implementation;
    address public deployed;

    constructor() {
        _owner = msg.sender;
    }

    function choose(address next) public {
        require(msg.sender == _owner, "No");
        implementation = next;
    }

    /// @dev The creation code asks its maker for `implementation()` and returns that account's code as its own.
    function deploy() public {
        require(msg.sender == _owner, "No");
        address made;
        assembly {
            let code := mload(64)
            mstore(code, 0x635c60da1b600052602060006004601c335afa50600051803b80916000600091)
            mstore(add(code, 32), 0x3c6000f300000000000000000000000000000000000000000000000000000000)
            made := create2(0, code, 36, 7)
        }
        deployed = made;
    }
}

/// @notice Deploys to one address a contract whose code is part of the creation code.
/// @custom:ignore metamorphic-origin, dynamic-deployment, hidden-proxy
contract MetamorphicOriginTwin {
    address internal _owner;
    address public deployed;

    constructor() {
        _owner = msg.sender;
    }

    function deploy() public {
        require(msg.sender == _owner, "No");
        address made;
        assembly {
            let code := mload(64)
            mstore(code, 0x69600160005260206000f3600052600a6016f300000000000000000000000000)
            made := create2(0, code, 19, 7)
        }
        deployed = made;
    }
}
