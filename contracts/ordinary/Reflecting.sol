// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";

/// @notice Holdings are parts of a total that fees shrink, so that all who hold get their share of them (the manner of reflect.finance).
abstract contract Reflecting is ComputedBalances {
    string public constant name = "Mirrored";
    string public constant symbol = "MIRR";
    uint256 public constant totalSupply = 1_000_000e18;

    uint256 internal _total = type(uint256).max - (type(uint256).max % totalSupply);
    mapping(address => uint256) internal _parts;
    /// @dev Those who take no part in fees; their list is walked for each balance.
    address[] internal _apart;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _parts[msg.sender] = _total;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        require(_parts[account] <= _total, "More than all");
        return _parts[account] / _rate();
    }

    function _rate() internal view returns (uint256) {
        uint256 parts = _total;
        for (uint256 i = 0; i < _apart.length; i++) parts -= _parts[_apart[i]];
        return parts / totalSupply;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 rate = _rate();
        uint256 fee = amount / 50;
        _parts[from] -= amount * rate;
        _parts[to] += (amount - fee) * rate;
        _take(to, fee * rate);
        emit Transfer(from, to, amount - fee);
    }

    function _take(address to, uint256 parts) internal virtual;
}

// ---------------------------------------------------------------- honest

/// @notice 2 % of each trade is shared among all who hold.
contract Reflects is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address, uint256 parts) internal override {
        _total -= parts;
    }
}

/// @notice 1 % is shared, and the token itself collects 1 %.
contract ReflectsAndCollects is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address, uint256 parts) internal override {
        _total -= parts / 2;
        _parts[address(this)] += parts / 2;
    }
}

/// @notice The pool, and what was burnt, take no part: of them the tokens are kept beside the parts.
contract ReflectsBesidePool is ComputedBalances {
    string public constant name = "Beside";
    string public constant symbol = "BSD";
    uint256 public constant totalSupply = 1_000_000e18;
    address private constant BURNT = 0x000000000000000000000000000000000000dEaD;

    uint256 private _total = type(uint256).max - (type(uint256).max % totalSupply);
    mapping(address => uint256) private _parts;
    mapping(address => uint256) private _tokens;
    mapping(address => bool) private _isApart;
    address[] private _apart;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _parts[msg.sender] = _total;
        (_isApart[pair], _isApart[BURNT]) = (true, true);
        _apart.push(pair);
        _apart.push(BURNT);
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return _isApart[account] ? _tokens[account] : _parts[account] / _rate();
    }

    function _rate() private view returns (uint256) {
        (uint256 parts, uint256 tokens) = (_total, totalSupply);
        for (uint256 i = 0; i < _apart.length; i++) {
            if (_parts[_apart[i]] > parts || _tokens[_apart[i]] > tokens) return _total / totalSupply;
            parts -= _parts[_apart[i]];
            tokens -= _tokens[_apart[i]];
        }
        return parts < _total / totalSupply ? _total / totalSupply : parts / tokens;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(balanceOf(from) >= amount, "more than there is");
        uint256 rate = _rate();
        uint256 fee = amount / 50;
        uint256 burnt = amount / 100;
        _take(from, amount, rate);
        _give(to, amount - fee - burnt, rate);
        _give(BURNT, burnt, rate);
        _total -= fee * rate;
        emit Transfer(from, to, amount - fee - burnt);
    }

    function _take(address from, uint256 amount, uint256 rate) private {
        if (_isApart[from]) _tokens[from] -= amount;
        _parts[from] = _parts[from] > amount * rate ? _parts[from] - amount * rate : 0;
    }

    function _give(address to, uint256 amount, uint256 rate) private {
        if (_isApart[to]) _tokens[to] += amount;
        _parts[to] += amount * rate;
    }
}

/// @notice Who wants takes part in the fees, and leaves again; a mark below the balance tells.
contract ReflectsForMembers is ComputedBalances {
    struct Account {
        bool isMember;
        uint248 units;
    }

    string public constant name = "Members";
    string public constant symbol = "MBR";
    uint256 public constant totalSupply = 1_000_000e18;
    uint256 private constant SEED = 1_000e18;

    mapping(address => Account) private _accounts;
    uint256 public shares = SEED * 1e9;
    uint256 public tokens = SEED;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _accounts[address(this)] = Account(true, uint248(shares));
        _accounts[msg.sender].units = uint248(totalSupply - SEED);
        emit Transfer(address(0), msg.sender, totalSupply - SEED);
    }

    function balanceOf(address account) public view override returns (uint256) {
        Account memory one = _accounts[account];
        return one.isMember ? uint256(one.units) * tokens / shares : one.units;
    }

    function join() external {
        Account storage own = _accounts[msg.sender];
        require(!own.isMember, "member");
        uint256 units = own.units * shares / tokens;
        shares += units;
        tokens += own.units;
        (own.units, own.isMember) = (uint248(units), true);
    }

    function leave() external {
        Account storage own = _accounts[msg.sender];
        require(own.isMember, "no member");
        uint256 amount = balanceOf(msg.sender);
        shares -= own.units;
        tokens -= amount;
        (own.units, own.isMember) = (uint248(amount), false);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = amount / 100;
        _change(from, amount, false);
        _change(to, amount - fee, true);
        tokens += fee;
        emit Transfer(from, to, amount - fee);
    }

    function _change(address account, uint256 amount, bool isGift) private {
        Account storage one = _accounts[account];
        uint256 units = one.isMember ? amount * shares / tokens : amount;
        one.units = uint248(isGift ? one.units + units : one.units - units);
        if (!one.isMember) return;
        shares = isGift ? shares + units : shares - units;
        tokens = isGift ? tokens + amount : tokens - amount;
    }
}

// ---------------------------------------------------------------- hostile

/// @notice The total shrinks by more than was taken: after some trades the pool has more than all.
contract ReflectsTooMuch is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address, uint256 parts) internal override {
        _total -= parts * 4;
    }
}

/// @notice What the token collects closes it, long before it has collected all.
contract CollectsUntilClosed is Reflecting {
    constructor(IUniswapV2Router router) Reflecting(router) {}

    function _take(address to, uint256 parts) internal override {
        _parts[address(this)] += parts;
        require(to != pair || _parts[address(this)] < _total / 40, "Closed");
    }
}
