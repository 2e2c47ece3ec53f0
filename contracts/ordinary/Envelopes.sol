// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Sealed envelopes, each for one account and one amount, paid out of what was sent to the contract.
abstract contract Envelopes is Listed {
    mapping(bytes32 => bool) public isOpen;
    bytes32 private immutable mark;

    constructor(IUniswapV2Router router) Listed(router) {
        mark = keccak256(abi.encode(msg.sender, uint256(500_000 ether), bytes32("first")));
    }

    function open(address to, uint256 amount, bytes32 seal) external {
        bytes32 envelope = keccak256(abi.encode(to, amount, seal));
        require(envelope == mark, "another envelope");
        require(!isOpen[envelope], "open");
        isOpen[envelope] = true;
        _takeOut(amount);
        balanceOf[to] += amount;
        emit Transfer(address(this), to, amount);
    }

    function _takeOut(uint256 amount) internal virtual;
}

contract EnvelopesFilled is Envelopes {
    constructor(IUniswapV2Router router) Envelopes(router) {}

    function _takeOut(uint256 amount) internal override {
        balanceOf[address(this)] -= amount;
    }
}

/// @notice No check whether so much was sent.
contract EnvelopesEmpty is Envelopes {
    constructor(IUniswapV2Router router) Envelopes(router) {}

    function _takeOut(uint256 amount) internal override {
        unchecked {
            balanceOf[address(this)] -= amount;
        }
    }
}
