// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "../DetectorToken.sol";

/// @notice Set up once, as libraries for proxies do it: again only while a constructor runs, which is over.
abstract contract InitialiserBase is DetectorToken {
    struct State {
        uint64 version;
        bool busy;
    }

    /// ERC-7201 `openzeppelin.storage.Initializable`
    bytes32 private constant PLACE = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;

    constructor() {
        _state().version = 1;
    }

    modifier initializer() {
        State storage state = _state();
        bool isTopLevel = !state.busy;
        uint64 version = state.version;
        bool isFirst = version == 0 && isTopLevel;
        bool isConstruction = version == 1 && _code().length == 0;
        require(isFirst || isConstruction, "Done");
        state.version = 1;
        if (isTopLevel) state.busy = true;
        _;
        if (isTopLevel) state.busy = false;
    }

    function initialize(address account) public initializer {
        _balances[account] = 1000000 ether;
    }

    function _state() internal pure virtual returns (State storage state) {
        bytes32 place = PLACE;
        assembly {
            state.slot := place
        }
    }

    function _code() internal view virtual returns (bytes memory) {
        return address(this).code;
    }
}

/// @notice The code of the token itself is there as long as it runs.
/// @custom:ignore hidden-mint, balance-seizure
contract InitialiserTwin is InitialiserBase {}

/// @notice The code of the caller is asked for: every account without code may begin anew.
/// @custom:expect hidden-mint, balance-seizure
contract InitialiserForAccounts is InitialiserBase {
    function _code() internal view override returns (bytes memory) {
        return msg.sender.code;
    }
}

/// @notice A call sets the version back.
/// @custom:expect hidden-mint, balance-seizure
contract InitialiserSetBack is InitialiserBase {
    function retire() public {
        _state().version = 0;
    }
}

/// @notice The version lies in an entry of a mapping that any address can write.
/// @custom:expect hidden-mint, balance-seizure
contract InitialiserInMapping is InitialiserBase {
    mapping(bytes32 => uint256) public notes;

    function note(bytes32 key, uint256 value) public {
        notes[key] = value;
    }

    function _state() internal pure override returns (State storage state) {
        // keccak256(abi.encode("version", 4)), as the compiler would compute it
        bytes32 place = keccak256(abi.encode(bytes32("version"), uint256(4)));
        assembly {
            state.slot := place
        }
    }
}
