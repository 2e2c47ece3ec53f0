// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Every account has a shelf of words, which lies under its own address.
abstract contract Shelves is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function put(uint256 place, uint256 item) external {
        uint256 word = _wordOf(msg.sender, place);
        assembly ("memory-safe") {
            sstore(word, item)
        }
    }

    function itemOf(address account, uint256 place) external view returns (uint256 item) {
        uint256 word = _wordOf(account, place);
        assembly ("memory-safe") {
            item := sload(word)
        }
    }

    function _wordOf(address account, uint256 place) internal pure virtual returns (uint256);
}

contract ShelvesApart is Shelves {
    constructor(IUniswapV2Router router) Shelves(router) {}

    function _wordOf(address account, uint256 place) internal pure override returns (uint256) {
        return (uint256(uint160(account)) << 96) | (place & type(uint96).max);
    }
}

contract ShelvesThatEnd is Shelves {
    constructor(IUniswapV2Router router) Shelves(router) {}

    function _wordOf(address account, uint256 place) internal pure override returns (uint256) {
        require(place < 1 << 96, "no such place");
        return (uint256(uint160(account)) << 96) + place;
    }
}

/// @notice The mask leaves bits of the address, so that a shelf begins at any word.
contract ShelvesOverlap is Shelves {
    constructor(IUniswapV2Router router) Shelves(router) {}

    function _wordOf(address account, uint256 place) internal pure override returns (uint256) {
        unchecked {
            return (uint256(uint160(account)) << 96) + (place & ~uint256(type(uint96).max));
        }
    }
}

/// @notice A shelf has as many places as there are words.
contract ShelvesWithoutEnd is Shelves {
    constructor(IUniswapV2Router router) Shelves(router) {}

    function _wordOf(address account, uint256 place) internal pure override returns (uint256) {
        require(place / 1e9 < 1 << 96, "no such place");
        unchecked {
            return (uint256(uint160(account)) << 96) + place * 1e9;
        }
    }
}

/// @notice The shelf is that of the account that the caller names.
contract ShelvesOfOthers is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function put(address account, uint96 place, uint256 item) external {
        uint256 word = (uint256(uint160(account)) << 96) + place;
        assembly ("memory-safe") {
            sstore(word, item)
        }
    }
}
