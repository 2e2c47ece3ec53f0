// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {DetectorToken} from "../DetectorToken.sol";

/// @notice Settings that are written in one call, a slot and a value each.
/// @custom:expect arbitrary-write
contract WordsInALoop is DetectorToken {
    function configure(bytes calldata packed) external {
        require(msg.sender == _owner);
        for (uint256 i; i + 64 <= packed.length; i += 64) {
            (bytes32 slot, bytes32 value) = abi.decode(packed[i:i + 64], (bytes32, bytes32));
            assembly {
                sstore(slot, value)
            }
        }
    }
}

/// @notice The same by two lists.
/// @custom:expect arbitrary-write
contract WordsByTwoLists is DetectorToken {
    function configure(uint256[] calldata slots, uint256[] calldata values) external {
        require(msg.sender == _owner);
        for (uint256 i; i < slots.length; ++i) {
            (uint256 slot, uint256 value) = (slots[i], values[i]);
            assembly {
                sstore(add(slot, 1), value)
            }
        }
    }
}

/// @notice Settings by their number, of which there are eight.
/// @custom:ignore arbitrary-write
contract SettingsInALoop is DetectorToken {
    uint256[8] private settings;

    function configure(uint256[] calldata numbers, uint256[] calldata values) external {
        require(msg.sender == _owner);
        for (uint256 i; i < numbers.length; ++i) settings[numbers[i]] = values[i];
    }

    function clear() external {
        require(msg.sender == _owner);
        for (uint256 i; i < 8; ++i) settings[i] = 0;
    }
}

/// @notice Notes of accounts that are named one by one.
/// @custom:ignore arbitrary-write
contract NotesInALoop is DetectorToken {
    mapping(address => bytes32) private notes;

    function configure(address[] calldata accounts, bytes32[] calldata values) external {
        require(msg.sender == _owner);
        for (uint256 i; i < accounts.length; ++i) notes[accounts[i]] = values[i];
    }
}
