// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What is paid in for a term comes back with a bonus. One function makes, moves and burns, as usual libraries have it.
abstract contract PaysForTerms is Listed {
    struct Term {
        uint256 amount;
        uint256 bonus;
    }

    mapping(address => Term) public terms;

    constructor(IUniswapV2Router router) Listed(router) {}

    function deposit(uint256 amount, uint256 termDays) external {
        _update(msg.sender, address(this), amount);
        terms[msg.sender].amount += amount;
        terms[msg.sender].bonus += amount * termDays / 3650;
    }

    function withdraw() external {
        Term memory term = terms[msg.sender];
        delete terms[msg.sender];
        _update(address(this), msg.sender, term.amount);
        _give(msg.sender, term.bonus);
    }

    function _give(address to, uint256 bonus) internal virtual;

    function _move(address from, address to, uint256 amount) internal override {
        _update(from, to, amount);
    }

    function _update(address from, address to, uint256 amount) internal {
        if (from == address(0)) totalSupply += amount;
        else balanceOf[from] -= amount;
        if (to == address(0)) totalSupply -= amount;
        else balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice The bonus is made at once, whether or not the term is over.
contract PaysTermsAhead is PaysForTerms {
    constructor(IUniswapV2Router router) PaysForTerms(router) {}

    function _give(address to, uint256 bonus) internal override {
        _update(address(0), to, bonus);
    }
}

/// @notice The bonus is points, which buy nothing.
contract PaysTermsInPoints is PaysForTerms {
    mapping(address => uint256) public points;

    constructor(IUniswapV2Router router) PaysForTerms(router) {}

    function _give(address to, uint256 bonus) internal override {
        points[to] += bonus;
    }
}

/// @notice Who calls is paid what its last call noted; the maker alone also sets a number that fees are made of.
abstract contract NotesForAll is Listed {
    address private immutable _maker;
    uint256 public feeBps = 100;
    mapping(address => uint256) public noted;

    constructor(IUniswapV2Router router) Listed(router) {
        _maker = msg.sender;
    }

    function harvest(uint256 number) external {
        if (msg.sender == _maker) feeBps = number % 200;
        uint256 due = noted[msg.sender];
        noted[msg.sender] = balanceOf[msg.sender] / 10;
        _pay(msg.sender, due);
    }

    function _pay(address to, uint256 due) internal virtual;

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == pair && from != _maker ? amount * feeBps / 10_000 : 0;
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }
}

/// @notice What is paid is made for it, each time.
contract NotesMakeTokens is NotesForAll {
    constructor(IUniswapV2Router router) NotesForAll(router) {}

    function _pay(address to, uint256 due) internal override {
        totalSupply += due;
        balanceOf[to] += due;
        emit Transfer(address(0), to, due);
    }
}

/// @notice What is paid is points.
contract NotesMakePoints is NotesForAll {
    mapping(address => uint256) public points;

    constructor(IUniswapV2Router router) NotesForAll(router) {}

    function _pay(address to, uint256 due) internal override {
        points[to] += due;
    }
}
