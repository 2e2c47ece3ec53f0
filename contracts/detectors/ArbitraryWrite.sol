// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @notice A list of messages whose index is not bounded: it reaches every word of the contract.
/// @custom:expect arbitrary-write
contract ArbitraryWrite {
    uint256[] internal _messages;

    function post(uint256 index, uint256 message) external {
        assembly {
            mstore(0, _messages.slot)
            sstore(add(keccak256(0, 32), index), message)
        }
    }
}

/// @notice The same with the bound that a compiler writes.
/// @custom:ignore arbitrary-write
contract ArbitraryWriteTwin {
    uint256[] internal _messages;

    function push(uint256 message) external {
        _messages.push(message);
    }

    function post(uint256 index, uint256 message) external {
        _messages[index] = message;
    }
}

/// @notice Its keeper writes the slot that it names.
/// @custom:expect arbitrary-write
contract ArbitraryWriteOfKeeper {
    address internal _keeper = msg.sender;

    function repair(bytes32 slot, bytes32 value) external {
        require(msg.sender == _keeper, "not the keeper");
        assembly {
            sstore(slot, value)
        }
    }
}

/// @notice A ring, a mask, a list of fixed length, entries of mappings, and a slot of its own.
/// @custom:ignore arbitrary-write
contract ArbitraryWriteNever {
    uint256[16] internal _ring;
    mapping(uint256 => uint256) internal _entries;
    bytes32 internal constant PLACE = keccak256("assay.example.place");

    function turn(uint256 index, uint256 value) external {
        _ring[index % 16] = value;
    }

    function mask(uint256 index, uint256 value) external {
        assembly {
            sstore(add(_ring.slot, and(index, 15)), value)
        }
    }

    function set(uint256 index, uint256 value) external {
        _ring[index] = value;
    }

    function enter(uint256 index, uint256 value) external {
        _entries[index] = value;
    }

    function place(uint256 value) external {
        bytes32 slot = PLACE;
        assembly {
            sstore(slot, value)
        }
    }
}
