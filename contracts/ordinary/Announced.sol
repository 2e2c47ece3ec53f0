// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Owned} from "../shared/Owned.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice The fee and who has it are announced by their hash, and set three days later.
abstract contract Announced is Listed, Owned {
    uint256 public feeBps = 100;
    address public receiver = msg.sender;
    mapping(bytes32 => uint256) public readyAt;

    constructor(IUniswapV2Router router) Listed(router) {}

    function announce(uint256 bps, address next) external onlyOwner {
        require(_isFair(bps, next), "Not that");
        readyAt[keccak256(abi.encode(bps, next))] = block.timestamp + 3 days;
    }

    function withdraw(bytes32 id) external onlyOwner {
        delete readyAt[id];
    }

    function set(uint256 bps, address next) external onlyOwner {
        bytes32 id = keccak256(abi.encode(bps, next));
        require(readyAt[id] != 0 && block.timestamp >= readyAt[id], "Not announced");
        delete readyAt[id];
        feeBps = bps;
        receiver = next;
    }

    function _isFair(uint256 bps, address next) internal pure virtual returns (bool);

    function _move(address from, address to, uint256 amount) internal override {
        require(to != address(0), "Zero address");
        uint256 fee = from == owner || to == owner ? 0 : (amount * feeBps) / 10_000;
        if (fee > 0) {
            require(receiver != address(0), "Zero address");
            super._move(from, receiver, fee);
        }
        super._move(from, to, amount - fee);
    }
}

contract FeeAnnounced is Announced {
    constructor(IUniswapV2Router router) Announced(router) {}

    function _isFair(uint256 bps, address next) internal pure override returns (bool) {
        return bps <= 300 && next != address(0);
    }
}

/// @notice Any fee may be announced.
contract FeeAnnouncedOfAll is Announced {
    constructor(IUniswapV2Router router) Announced(router) {}

    function _isFair(uint256 bps, address) internal pure override returns (bool) {
        return bps <= 10_000;
    }
}
