// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IPair {
    function getReserves() external view returns (uint112 first, uint112 second, uint32 at);
    function token0() external view returns (address);
}

/// @notice A sale may not take the pool's coins under a part of a mark.
abstract contract Floored is Listed {
    uint256 public mark;

    function _mark(uint256 coins) internal virtual;

    function _coins() private view returns (uint256 own, uint256 coins) {
        (uint112 first, uint112 second, ) = IPair(pair).getReserves();
        return IPair(pair).token0() == address(this) ? (first, second) : (second, first);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair || to == pair) {
            (uint256 own, uint256 coins) = _coins();
            _mark(coins);
            if (to == pair && own > 0) {
                uint256 input = amount * 997;
                uint256 output = (input * coins) / (own * 1000 + input);
                require(coins - output >= (mark * 90) / 100, "Too much at once");
            }
        }
        super._move(from, to, amount);
    }
}

/// @notice No single sale takes more than a tenth of what is there: the next one may.
contract TenthAtOnce is Floored {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _mark(uint256 coins) internal override {
        mark = coins;
    }
}

/// @notice The mark is the best that ever was: once a tenth has been sold, all sales are over.
contract TenthOfBest is Floored {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _mark(uint256 coins) internal override {
        if (coins > mark) mark = coins;
    }
}

/// @notice Votes belong to a council until their holder gives them away.
abstract contract Seated is Listed {
    address public immutable council = msg.sender;
    mapping(address => address) internal _chosen;
    mapping(address => uint256) public votesOf;
    mapping(address => uint256) public busyUntil;

    function votesWith(address account) public view returns (address) {
        if (account == pair) return address(0);
        return _chosen[account] == address(0) ? council : _chosen[account];
    }

    function choose(address account) external {
        votesOf[votesWith(msg.sender)] -= balanceOf[msg.sender];
        _chosen[msg.sender] = account;
        votesOf[votesWith(msg.sender)] += balanceOf[msg.sender];
    }

    function propose(uint256 until) external {
        require(votesOf[msg.sender] * 100 >= totalSupply, "One percent of the votes");
        require(until > block.timestamp, "Over already");
        busyUntil[msg.sender] = until;
    }

    function _checkFree(address account) internal view virtual;

    function _move(address from, address to, uint256 amount) internal override {
        (address left, address right) = (votesWith(from), votesWith(to));
        if (left != address(0)) {
            _checkFree(left);
            votesOf[left] -= votesOf[left] < amount ? votesOf[left] : amount;
        }
        if (right != address(0)) votesOf[right] += amount;
        super._move(from, to, amount);
    }
}

/// @notice What is proposed is noted, and keeps no one from selling.
contract VotesNoted is Seated {
    constructor(IUniswapV2Router router) Listed(router) {
        votesOf[msg.sender] = totalSupply;
    }

    function _checkFree(address account) internal view override {}
}

/// @notice While the council has a vote under way, what was left to it cannot be sold.
contract VotesInUse is Seated {
    constructor(IUniswapV2Router router) Listed(router) {
        votesOf[msg.sender] = totalSupply;
    }

    function _checkFree(address account) internal view override {
        require(block.timestamp >= busyUntil[account], "Votes in use");
    }
}

interface ISynced {
    function sync() external;
}

/// @notice Those who have laid down a fifth of the supply are paid once an hour.
abstract contract Seats is Listed {
    mapping(address => uint256) public seated;
    uint256 public last = block.timestamp;

    function sit(uint256 amount) external {
        super._move(msg.sender, address(this), amount);
        seated[msg.sender] += amount;
    }

    function rise(uint256 amount) external {
        seated[msg.sender] -= amount;
        super._move(address(this), msg.sender, amount);
    }

    function collect() external {
        require(seated[msg.sender] * 5 >= totalSupply, "A fifth");
        require(block.timestamp >= last + 1 hours, "An hour");
        last = block.timestamp;
        _pay(msg.sender);
    }

    function _pay(address to) internal virtual;
}

/// @notice Paid out of what was set aside for it.
contract SeatsPaidAside is Seats {
    uint256 public aside;

    constructor(IUniswapV2Router router) Listed(router) {
        aside = totalSupply / 20;
        balanceOf[msg.sender] -= aside;
        balanceOf[address(this)] += aside;
    }

    function _pay(address to) internal override {
        uint256 part = aside / 100;
        aside -= part;
        super._move(address(this), to, part);
    }
}

/// @notice Paid out of the pool.
contract SeatsPaidByPool is Seats {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _pay(address to) internal override {
        super._move(pair, to, (balanceOf[pair] * 2) / 5);
        ISynced(pair).sync();
    }
}

/// @notice Who sells has signed the book: buyers by buying, all others by a call.
abstract contract Signed is Listed {
    mapping(address => uint256) public signedAt;
    bool internal _isOpen;

    function _signs(address account) internal {
        signedAt[account] = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair) {
            _isOpen = true;
            _signs(to);
        }
        require(to != pair || !_isOpen || signedAt[from] != 0, "Sign the book");
        super._move(from, to, amount);
    }
}

contract SignedByOneself is Signed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function sign() external {
        _signs(msg.sender);
    }
}

/// @notice Only its maker lets others sign.
contract SignedByMaker is Signed {
    address public immutable maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function sign(address account) external {
        require(msg.sender == maker, "Not yours");
        _signs(account);
    }
}

/// @notice Buyers sit at a table of 48 chairs; the newest takes the chair of the oldest.
abstract contract Table is Listed {
    address[48] public chairs;
    mapping(address => uint256) public chairOf;
    mapping(address => bool) public hasLeft;
    uint256 private _next;

    function _mayGo(address from) internal view virtual returns (bool);

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair && chairOf[to] == 0 && !hasLeft[to]) {
            address leaving = chairs[_next];
            if (leaving != address(0)) (chairOf[leaving], hasLeft[leaving]) = (0, true);
            chairs[_next] = to;
            _next = (_next + 1) % 48;
            chairOf[to] = 1 + _next;
        }
        require(to != pair || totalSupply == balanceOf[from] || _mayGo(from), "Not at the table");
        super._move(from, to, amount);
    }
}

/// @notice Who has left still sells.
contract TableForAll is Table {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _mayGo(address from) internal view override returns (bool) {
        return chairOf[from] != 0 || hasLeft[from] || balanceOf[from] > 0;
    }
}

/// @notice Only those at the table sell.
contract TableForFew is Table {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _mayGo(address from) internal view override returns (bool) {
        return chairOf[from] != 0;
    }
}
