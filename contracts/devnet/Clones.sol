// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice Minimal proxies (EIP-1167) at addresses that can be worked out (EIP-1014).
library Clones {
    function deploy(address implementation, bytes32 salt) internal returns (address clone) {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73",
            implementation,
            hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            clone := create2(0, add(code, 32), mload(code), salt)
        }
        require(clone != address(0), "No clone");
    }
}
