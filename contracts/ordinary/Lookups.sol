// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {CoinsToken} from "./Coins.sol";
import {Listed} from "./Listed.sol";

/// @notice What a sale costs is looked up in a table, which holds a high fee in few places.
abstract contract TableToken is CoinsToken {
    mapping(uint256 => uint256) internal _fees;

    function _fill(uint256 first, uint256 count) internal {
        for (uint256 at = first; at < first + count; ++at) _fees[at] = 88;
    }
}

/// @notice By the coins of the seller.
contract TableByCoins is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(30, 15);
    }

    function _percent(address from, uint256) internal view override returns (uint256) {
        return _fees[from.balance / 0.01 ether];
    }
}

/// @notice By the gas that is left.
contract TableByGas is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(30, 2);
    }

    function _percent(address, uint256) internal view override returns (uint256) {
        return _fees[(gasleft() / 3000) % 64];
    }
}

/// @notice By the price of gas.
contract TableByGasPrice is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(30, 15);
    }

    function _percent(address, uint256) internal view override returns (uint256) {
        return _fees[tx.gasprice / 0.1 gwei];
    }
}

/// @notice By what a block draws.
contract TableByBlock is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(3, 4);
    }

    function _percent(address, uint256) internal view override returns (uint256) {
        return _fees[block.prevrandao % 256];
    }
}

/// @notice By the day, of which the forty-first is the dear one.
contract TableByDay is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(block.timestamp / 1 days + 40, 5);
    }

    function _percent(address, uint256) internal view override returns (uint256) {
        return _fees[block.timestamp / 1 days];
    }
}

/// @notice By the amount.
contract TableByAmount is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(311, 20);
    }

    function _percent(address, uint256 amount) internal view override returns (uint256) {
        return _fees[(amount / 7 ether) % 512];
    }
}

/// @notice By what the seller has.
contract TableByHoldings is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(311, 20);
    }

    function _percent(address from, uint256) internal view override returns (uint256) {
        return _fees[(balanceOf[from] / 7 ether) % 512];
    }
}

/// @notice By digits of the seller.
contract TableByDigits is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(3, 8);
    }

    function _percent(address from, uint256) internal view override returns (uint256) {
        return _fees[uint160(from) % 256];
    }
}

/// @notice In a word of the code, by the coins of the seller.
contract TableInCode is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return uint8(0x0101020101010101585801010102010101010101010101010101010201010101 >> (8 * (from.balance / 0.03 ether)));
    }
}

/// @notice In a stored word, by the price of gas.
contract TableInWord is CoinsToken {
    uint256 internal _word = 0x0101020101010101585801010102010101010101010101010101010201010101;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256) internal view override returns (uint256) {
        return uint8(_word >> (8 * ((tx.gasprice / 0.2 gwei) % 32)));
    }
}

/// @notice By a hash of the coins of the seller.
contract TableByHash is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        uint256 hash = uint256(keccak256(abi.encode(from.balance / 0.05 ether))) & 0xff;
        return 88 - (88 * hash) / (hash + 3);
    }
}

/// @notice Without a table: a hump over the coins of the seller.
contract HumpOfCoins is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        unchecked {
            uint256 far = from.balance / 0.01 ether - 37;
            return 880 / (10 + far * far);
        }
    }
}

/// @notice By a rest that the coins of the seller leave.
contract RestOfCoins is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address from, uint256) internal view override returns (uint256) {
        return 88 * (((from.balance / 0.001 ether) % 97) / 96);
    }
}

/// @notice By a rest that the amount leaves.
contract RestOfAmount is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256 amount) internal pure override returns (uint256) {
        return 88 * (((amount / 0.01 ether) % 997 + 1) / 997);
    }
}

/// @notice By a product with the price of gas that does not fit.
contract ProductOfGasPrice is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256) internal view override returns (uint256) {
        unchecked {
            uint256 far = (tx.gasprice * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95) >> 246;
            return 88 / (far / 20 + 1);
        }
    }
}

/// @notice A table that refuses, by the coins of the seller.
contract RefusedByTable is TableToken {
    constructor(IUniswapV2Router router) Listed(router) {
        _fill(30, 15);
    }

    function _percent(address from, uint256) internal view override returns (uint256) {
        require(_fees[from.balance / 0.01 ether] == 0, "No");
        return 1;
    }
}

/// @notice Each account may have a fee of its own, and none has one.
contract FeeOfAccount is CoinsToken {
    mapping(address => uint256) internal _feeOf;

    constructor(IUniswapV2Router router) Listed(router) {
        _feeOf[msg.sender] = 1;
    }

    function _percent(address from, uint256) internal view override returns (uint256) {
        return _feeOf[from];
    }
}

/// @notice Larger sales cost two percent, by steps that the code holds.
contract StepsOfAmount is CoinsToken {
    uint256[3] internal _steps = [1_000 ether, 10_000 ether, 100_000 ether];

    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256 amount) internal view override returns (uint256 percent) {
        for (uint256 at = 0; at < 3; ++at) if (amount > _steps[at]) percent = at;
    }
}

/// @notice Counts what is sold each day, which decides nothing.
contract VolumeOfDays is CoinsToken {
    mapping(uint256 => uint256) public volumeOf;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256 amount) internal override returns (uint256) {
        volumeOf[block.timestamp / 1 days] += amount;
        return 1;
    }
}

/// @notice The price of gas is noted by the block, which decides nothing.
contract NotedGasPrice is CoinsToken {
    mapping(uint256 => uint256) public priceAt;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256) internal override returns (uint256) {
        priceAt[block.number] = tx.gasprice % 1 gwei;
        return 1;
    }
}

/// @notice Sells whole gwei only; dust stays.
contract WithoutDust is CoinsToken {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _percent(address, uint256 amount) internal pure override returns (uint256) {
        uint256 whole = amount - (amount % 1 gwei);
        return (whole * 2) / amount;
    }
}
