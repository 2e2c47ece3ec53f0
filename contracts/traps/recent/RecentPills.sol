// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SimulationAware} from "../SimulationAware.sol";
import {TrapToken} from "../TrapToken.sol";

/// @notice There is no base fee.
contract BasefeeZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.basefee == 0;
    }
}

/// @notice The gas costs less than the base fee.
contract GasPriceBelowBasefee is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return tx.gasprice < block.basefee;
    }
}

/// @notice A unit of blob gas costs less than it can.
contract BlobBasefeeZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.blobbasefee < 1;
    }
}

/// @notice The chain is one for development.
contract ChainIdOdd is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.chainid == 31337 || block.chainid == 1337;
    }
}

/// @notice Remembers a purchase for the length of the transaction: who sells in the same one is no person.
contract TransientBundle is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256) internal view override returns (bool bought) {
        assembly {
            bought := tload(from)
        }
    }

    function _feePercent(address, address to) internal view override returns (uint256) {
        return to == address(0) ? 1 : 0;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        assembly {
            tstore(to, 1)
        }
        return super.transfer(to, amount);
    }
}

/// @notice A lock for the length of the transaction, against being called in the middle of a transfer.
contract TransientBundleTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        bool locked;
        assembly {
            locked := tload(0)
        }
        require(!locked, "Locked");
        assembly {
            tstore(0, 1)
        }
        super._move(from, to, amount);
        assembly {
            tstore(0, 0)
        }
    }
}
