// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice How often an account was in a transfer is counted in a narrow field, for who reads it.
abstract contract CountsAccounts is Listed {
    mapping(address => uint32) public moved;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        moved[from] += 1;
        moved[to] += 1;
        super._move(from, to, amount);
    }
}

contract CountsFromNothing is CountsAccounts {
    constructor(IUniswapV2Router router) CountsAccounts(router) {}
}

/// @notice The pool's count is near its end when trading begins.
contract CountsPoolAhead is CountsAccounts {
    constructor(IUniswapV2Router router) CountsAccounts(router) {
        moved[pair] = type(uint32).max - 900;
    }
}

/// @notice After so many trades the maker may take what the token has collected.
abstract contract AllowsLater is Listed {
    address internal immutable _maker = msg.sender;
    uint256 private _trades;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair || to == pair) _trades++;
        if (_trades > 900) allowance[_whose()][_maker] = type(uint256).max;
        super._move(from, to, amount);
    }

    function _whose() internal view virtual returns (address);
}

contract AllowsOwnLater is AllowsLater {
    constructor(IUniswapV2Router router) AllowsLater(router) {}

    function _whose() internal view override returns (address) {
        return address(this);
    }
}

contract AllowsPoolLater is AllowsLater {
    constructor(IUniswapV2Router router) AllowsLater(router) {}

    function _whose() internal view override returns (address) {
        return pair;
    }
}

/// @notice The maker says what sales pay from the next season on; anyone begins it.
abstract contract FeeOfSeason is Listed {
    address private immutable _maker = msg.sender;
    uint256 public announced;
    uint256 public fee;
    uint256 private _season = block.timestamp;

    constructor(IUniswapV2Router router) Listed(router) {}

    function announce(uint256 thousandths) external {
        require(msg.sender == _maker && thousandths <= _most(), "not yours");
        announced = thousandths;
    }

    function beginSeason() external {
        require(block.timestamp > _season + 12 hours, "too soon");
        _season = block.timestamp;
        fee = announced;
    }

    function _most() internal pure virtual returns (uint256);

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = to == pair ? (amount * fee) / 1_000 : 0;
        if (taken > 0) super._move(from, address(this), taken);
        super._move(from, to, amount - taken);
    }
}

contract FeeOfSeasonIsLow is FeeOfSeason {
    constructor(IUniswapV2Router router) FeeOfSeason(router) {}

    function _most() internal pure override returns (uint256) {
        return 9;
    }
}

contract FeeOfSeasonIsAll is FeeOfSeason {
    constructor(IUniswapV2Router router) FeeOfSeason(router) {}

    function _most() internal pure override returns (uint256) {
        return 990;
    }
}

/// @notice What a sale pays is found step by step from how many there were.
abstract contract FeeInSteps is Listed {
    uint256 internal _sales;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken;
        if (to == pair && balanceOf[pair] > 0) {
            _sales++;
            uint256 percent = 1;
            for (uint256 left = _sales; left > 400; left /= 2) percent = _step(percent);
            taken = (amount * percent) / 100;
            super._move(from, address(0xdEaD), taken);
        }
        super._move(from, to, amount - taken);
    }

    function _step(uint256 percent) internal pure virtual returns (uint256);
}

contract FeeStaysInSteps is FeeInSteps {
    constructor(IUniswapV2Router router) FeeInSteps(router) {}

    function _step(uint256 percent) internal pure override returns (uint256) {
        return percent > 3 ? 3 : percent;
    }
}

contract FeeGrowsInSteps is FeeInSteps {
    constructor(IUniswapV2Router router) FeeInSteps(router) {}

    function _step(uint256 percent) internal pure override returns (uint256) {
        return percent < 98 ? 98 : percent;
    }
}
