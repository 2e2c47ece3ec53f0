// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice A fee that the owner sets as high as it likes.
/// @custom:expect modifiable-fee
contract ModifiableFee is DetectorToken {
    uint256 public fee;
    address internal _collector;

    function setFee(uint256 next) public onlyOwner {
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice A fee of at most five percent.
/// @custom:ignore modifiable-fee
contract ModifiableFeeTwin is DetectorToken {
    uint256 public fee;
    address internal _collector;

    function setFee(uint256 next) public onlyOwner {
        require(next <= 5, "Five percent at most");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice Two rates without a bound, of which each transfer first takes one and then computes with it.
/// @custom:expect modifiable-fee
contract ChosenFee is DetectorToken {
    uint256 public buying;
    uint256 public selling;
    uint256 internal _rate;
    address internal _pool;
    address internal _collector;

    function setFees(uint256 first, uint256 second) public onlyOwner {
        buying = first;
        selling = second;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == _pool) _rate = buying;
        else if (to == _pool) _rate = selling;
        else _rate = 0;
        uint256 taken = (amount * _rate) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice The same with five percent at most.
/// @custom:ignore modifiable-fee
contract ChosenFeeTwin is DetectorToken {
    uint256 public buying;
    uint256 public selling;
    uint256 internal _rate;
    address internal _pool;
    address internal _collector;

    function setFees(uint256 first, uint256 second) public onlyOwner {
        require(first <= 5, "Five percent at most");
        require(second <= 5, "Five percent at most");
        buying = first;
        selling = second;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == _pool) _rate = buying;
        else if (to == _pool) _rate = selling;
        else _rate = 0;
        uint256 taken = (amount * _rate) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice A share that is a constant, and a switch for it.
/// @custom:expect modifiable-fee
contract SwitchedFee is DetectorToken {
    bool public taxed;
    address internal _collector;

    function setTaxed(bool on) public onlyOwner {
        taxed = on;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = taxed ? (amount * 51) / 100 : 0;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice The same for two percent.
/// @custom:ignore modifiable-fee
contract SwitchedFeeTwin is DetectorToken {
    bool public taxed;
    address internal _collector;

    function setTaxed(bool on) public onlyOwner {
        taxed = on;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = taxed ? (amount * 2) / 100 : 0;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice Transfers that pay their fees by further transfers, from four places.
/// @custom:expect modifiable-fee
contract FeeByTransfers is DetectorToken {
    uint256 public fee;
    address[4] internal _collectors;

    function setFee(uint256 next) public onlyOwner {
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (fee == 0 || from == address(this) || to == address(this)) return super._move(from, to, amount);
        uint256 taken = (amount * fee) / 100;
        _move(from, address(this), taken);
        uint256 part = taken / 4;
        if (part > 1) _move(address(this), _collectors[0], part);
        if (part > 2) _move(address(this), _collectors[1], part);
        if (part > 3) _move(address(this), _collectors[2], part);
        super._move(from, to, amount - taken);
    }
}

/// @notice The same with five percent at most.
/// @custom:ignore modifiable-fee
contract FeeByTransfersTwin is DetectorToken {
    uint256 public fee;
    address[4] internal _collectors;

    function setFee(uint256 next) public onlyOwner {
        require(next <= 5, "Five percent at most");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (fee == 0 || from == address(this) || to == address(this)) return super._move(from, to, amount);
        uint256 taken = (amount * fee) / 100;
        _move(from, address(this), taken);
        uint256 part = taken / 4;
        if (part > 1) _move(address(this), _collectors[0], part);
        if (part > 2) _move(address(this), _collectors[1], part);
        if (part > 3) _move(address(this), _collectors[2], part);
        super._move(from, to, amount - taken);
    }
}

/// @notice What a call leaves of a number by a remainder is bounded, however it is named.
/// @custom:ignore modifiable-fee
contract FeeByRemainder is DetectorToken {
    uint256 public fee;
    address internal _collector;

    function setFee(uint256 next) public onlyOwner {
        fee = next % 6;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice A byte of a secret is no bound: most of them take more than there is.
/// @custom:expect modifiable-fee
contract FeeByByte is DetectorToken {
    uint256 public fee;
    bytes32 internal _seal = keccak256("sealed");
    address internal _collector;

    function reveal(uint256 secret) public {
        require(keccak256(abi.encodePacked(secret)) == _seal, "Not it");
        fee = uint8(secret);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice A fee that its owner can only lower.
/// @custom:ignore modifiable-fee
contract LoweredFee is DetectorToken {
    uint256 public fee = 10;
    address internal _collector;

    function lowerFee(uint256 next) public onlyOwner {
        require(next < fee, "Only down");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice The same beside the owner, in a few bits of its word.
/// @custom:ignore modifiable-fee
contract LoweredPackedFee is DetectorToken {
    address internal _collector;
    uint16 public fee = 10;

    function lowerFee(uint16 next) public onlyOwner {
        require(next <= fee, "Only down");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice What is kept of each transfer can only be lowered, and the rest is taken.
/// @custom:expect modifiable-fee
contract LoweredRest is DetectorToken {
    uint256 public kept = 95;
    address internal _collector;

    function lower(uint256 next) public onlyOwner {
        require(next < kept, "Only down");
        kept = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = amount - (amount * kept) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice Half of what it is now would take all.
/// @custom:expect modifiable-fee
contract LoweredToThePeak is DetectorToken {
    uint256 public fee = 10;
    address internal _collector;

    function lowerFee(uint256 next) public onlyOwner {
        require(next <= fee, "Only down");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee * (10 - fee)) / 25;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice Lowered only, but for what the same call raises first.
/// @custom:expect modifiable-fee
contract RaisedFirstFee is DetectorToken {
    uint256 public fee = 10;
    address internal _collector;

    function lowerFee(uint256 next, bool season) public onlyOwner {
        if (season) fee = ~uint256(0);
        require(next < fee, "Only down");
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}

/// @notice Lowered by one function, set by another.
/// @custom:expect modifiable-fee
contract LoweredAndSetFee is DetectorToken {
    uint256 public fee = 10;
    address internal _collector;

    function lowerFee(uint256 next) public onlyOwner {
        require(next < fee, "Only down");
        fee = next;
    }

    function correct(uint256 next) public onlyOwner {
        fee = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = (amount * fee) / 100;
        super._move(from, _collector, taken);
        super._move(from, to, amount - taken);
    }
}
