// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Every account keeps pages of its own, and may tear out the last one.
abstract contract Pages is Listed {
    mapping(address => bytes32[]) internal pages;

    constructor(IUniswapV2Router router) Listed(router) {}

    function write(bytes32 text) external {
        pages[msg.sender].push(text);
    }

    function rewrite(uint256 page, bytes32 text) external {
        pages[msg.sender][page] = text;
    }

    function tear() external virtual;
}

contract PagesThatEnd is Pages {
    constructor(IUniswapV2Router router) Pages(router) {}

    function tear() external override {
        pages[msg.sender].pop();
    }
}

/// @notice A page that is not there can be torn out: then an account has more pages than there are words.
contract PagesWithoutEnd is Pages {
    constructor(IUniswapV2Router router) Pages(router) {}

    function tear() external override {
        bytes32[] storage own = pages[msg.sender];
        assembly ("memory-safe") {
            sstore(own.slot, sub(sload(own.slot), 1))
        }
    }
}

/// @notice Marks in a table of four words, before the word of who may issue.
abstract contract MarksTable is Listed {
    uint256[4] internal marks;
    address public owner;

    constructor(IUniswapV2Router router) Listed(router) {}

    function issue(address to, uint256 amount) external {
        require(msg.sender == owner, "owner");
        _mint(to, amount);
    }

    function mark(uint256[] calldata numbers) external {
        for (uint256 i = 0; i < numbers.length; i++) {
            uint256 index = numbers[i];
            require(index < _end(), "no such mark");
            assembly ("memory-safe") {
                let place := add(marks.slot, shr(8, index))
                sstore(place, or(sload(place), shl(and(index, 0xff), 1)))
            }
        }
    }

    function _end() internal pure virtual returns (uint256);
}

contract TableThatEnds is MarksTable {
    constructor(IUniswapV2Router router) MarksTable(router) {}

    function _end() internal pure override returns (uint256) {
        return 4 * 256;
    }
}

/// @notice The last marks are the bits of the owner.
contract TableTooLong is MarksTable {
    constructor(IUniswapV2Router router) MarksTable(router) {}

    function _end() internal pure override returns (uint256) {
        return 8 * 256;
    }
}

/// @notice Words of a board, several at once, behind the word of who may issue.
abstract contract Board is Listed {
    address public owner;
    uint256[64] internal board;

    constructor(IUniswapV2Router router) Listed(router) {}

    function issue(address to, uint256 amount) external {
        require(msg.sender == owner, "owner");
        _mint(to, amount);
    }

    function paint(uint256 start, uint256[] calldata words) external {
        require(_end(start, words.length) <= 64, "beyond");
        for (uint256 i = 0; i < words.length; i++) {
            uint256 word = words[i];
            assembly ("memory-safe") {
                sstore(add(add(board.slot, start), i), word)
            }
        }
    }

    function _end(uint256 start, uint256 count) internal pure virtual returns (uint256);
}

contract BoardThatEnds is Board {
    constructor(IUniswapV2Router router) Board(router) {}

    function _end(uint256 start, uint256 count) internal pure override returns (uint256) {
        return start + count;
    }
}

/// @notice The sum runs over: the last of all words is the one before the first.
contract BoardThatRunsOver is Board {
    constructor(IUniswapV2Router router) Board(router) {}

    function _end(uint256 start, uint256 count) internal pure override returns (uint256) {
        unchecked {
            return start + count;
        }
    }
}
