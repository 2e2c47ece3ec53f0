// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";
import {Listed} from "./Listed.sol";

// ---------------------------------------------------------------- honest

/// @notice A tenth of what is moved is burned, in sales as in purchases.
contract BurnsTenth is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from == pair || to == pair) _burn(to, amount / 10);
    }
}

/// @notice 6 % of a sale is burned; 2 % goes to the maker.
contract BurnsAndPays is Listed {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair || from == _maker) return;
        _burn(to, (amount * 6) / 100);
        super._move(to, _maker, amount / 50);
    }
}

/// @notice A tenth of what others than the maker move is burned.
contract BurnsForOthers is Listed {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from == _maker || to == _maker) return;
        _burn(to, amount / 10);
    }
}

/// @notice Holdings are shares, of which a tenth is burned with each sale; what is left is worth more.
contract BurnsShares is ComputedBalances {
    string public constant name = "Shares";
    string public constant symbol = "SHRS";
    uint256 public constant totalSupply = 1_000_000e18;
    uint256 private constant SCALE = 1e9;

    uint256 public totalShares = totalSupply * SCALE;
    mapping(address => uint256) private _shares;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _shares[msg.sender] = totalShares;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return (_shares[account] * totalSupply) / totalShares;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 shares = (amount * totalShares) / totalSupply;
        _shares[from] -= shares;
        _shares[to] += shares;
        emit Transfer(from, to, amount);
        if (to != pair) return;
        _shares[to] -= shares / 10;
        totalShares -= shares / 10;
    }
}

/// @notice No account but the maker sends more than a third of a percent of the supply at once.
contract SendLimit is Listed {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(from == _maker || amount <= 3_000e18, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice Sales are counted beside the moment of the last one.
contract SalesBesideClock is Listed {
    uint64 public sales;
    uint64 public last;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair) return;
        sales++;
        last = uint64(block.timestamp);
    }
}

abstract contract BuyersWait is Listed {
    uint256 public buyers;
    mapping(address => uint256) public until;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair) require(block.timestamp >= until[from], "Wait");
        if (from == pair) {
            buyers++;
            if (_waits()) until[to] = _end();
        }
        super._move(from, to, amount);
    }

    function _waits() internal view virtual returns (bool);

    function _end() internal view virtual returns (uint256);
}

/// @notice The first twenty buyers wait an hour before they sell.
contract FirstBuyersWait is BuyersWait {
    constructor(IUniswapV2Router router) BuyersWait(router) {}

    function _waits() internal view override returns (bool) {
        return buyers <= 20;
    }

    function _end() internal view override returns (uint256) {
        return block.timestamp + 1 hours;
    }
}

// ---------------------------------------------------------------- hostile

/// @notice All after the first twenty buyers wait for ever.
contract LaterBuyersWait is BuyersWait {
    constructor(IUniswapV2Router router) BuyersWait(router) {}

    function _waits() internal view override returns (bool) {
        return buyers > 20;
    }

    function _end() internal pure override returns (uint256) {
        return type(uint256).max;
    }
}

/// @notice The same in a byte, which is full after 255 sales.
contract SalesInByte is Listed {
    uint8 public sales;
    uint64 public last;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair) return;
        sales++;
        last = uint64(block.timestamp);
    }
}

/// @notice What the pool has received in all is bounded: three times the supply.
contract ReceivedInAll is Listed {
    mapping(address => uint256) public received;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        received[to] += amount;
        if (to == pair) require(received[to] <= 3_000_000e18, "Closed");
    }
}

/// @notice Who has bought twice cannot sell, however little.
contract BoughtTwice is Listed {
    mapping(address => uint256) public bought;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair) bought[to]++;
        if (to == pair) require(bought[from] < 2, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice The supply that is told sinks by half as much again as is burned.
contract SupplySinksFaster is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair) return;
        _burn(to, amount / 10);
        totalSupply -= amount / 20;
    }
}

/// @notice A fee is paid to the maker, and taken from the supply that is told although nothing is burned.
contract SupplyOfFees is Listed {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair || from == _maker) return;
        super._move(to, _maker, amount / 10);
        totalSupply -= amount / 10;
    }
}

/// @notice What may be sold in all is no more than there was.
contract SalesOfSupply is Listed {
    uint256 public left = 1_000_000e18;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to == pair) left -= amount / 5;
    }
}
