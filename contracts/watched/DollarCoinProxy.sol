// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A proxy in the shape of USDC's on Ethereum
/// @notice Older than EIP-1967: admin and code stand at ZeppelinOS's slots, and the admin is not let through to the code.
contract DollarCoinProxy {
    bytes32 private constant IMPLEMENTATION_SLOT = keccak256("org.zeppelinos.proxy.implementation");
    bytes32 private constant ADMIN_SLOT = keccak256("org.zeppelinos.proxy.admin");

    event Upgraded(address implementation);

    constructor(address logic, address admin_) {
        _store(ADMIN_SLOT, admin_);
        _store(IMPLEMENTATION_SLOT, logic);
    }

    function upgradeTo(address logic) external {
        if (msg.sender != _load(ADMIN_SLOT)) _forward();
        _store(IMPLEMENTATION_SLOT, logic);
        emit Upgraded(logic);
    }

    fallback() external payable {
        require(msg.sender != _load(ADMIN_SLOT), "Cannot call fallback function from the proxy admin");
        _forward();
    }

    /// @dev Ends the call with what the code answered.
    function _forward() private {
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
