// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token whose code lies elsewhere and can be exchanged
/// @notice An EIP-1967 proxy with an admin. The code behind it is harmless today.
/// @custom:example hidden-proxy
/// @custom:expect hidden-proxy
/// @custom:ignore kill-switch, dynamic-deployment
contract HiddenProxy {
    /// @dev EIP-1967: `keccak256("eip1967.proxy.implementation") - 1`
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    /// @dev EIP-1967: `keccak256("eip1967.proxy.admin") - 1`
    bytes32 private constant ADMIN_SLOT = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);
    event AdminChanged(address previousAdmin, address newAdmin);

    constructor(address logic, address admin, bytes memory setup) {
        _store(ADMIN_SLOT, admin);
        emit AdminChanged(address(0), admin);
        _store(IMPLEMENTATION_SLOT, logic);
        emit Upgraded(logic);
        (bool ok, ) = logic.delegatecall(setup);
        require(ok, "Setup failed");
    }

    function upgradeTo(address logic) external {
        require(msg.sender == _load(ADMIN_SLOT), "Only the admin");
        _store(IMPLEMENTATION_SLOT, logic);
        emit Upgraded(logic);
    }

    fallback() external payable {
        address logic = _load(IMPLEMENTATION_SLOT);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    receive() external payable {}

    function _load(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _store(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}
