// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice A relayer that a holder signed for may send his transfer, and keeps the fee that the holder agreed to.
abstract contract RelayedBase is Listed {
    bytes32 public immutable domain;
    mapping(address => uint256) public nonces;

    struct Order {
        address from;
        address to;
        uint256 amount;
        uint256 fee;
        uint256 deadline;
    }

    constructor(IUniswapV2Router router) Listed(router) {
        domain = keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this)));
    }

    function transferSigned(Order calldata order, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= order.deadline, "Too late");
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, _hash(order, nonces[order.from]++)));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && _mayOrder(signer, order.from), "Not signed");
        _checkFee(order);
        _move(order.from, msg.sender, order.fee);
        _move(order.from, order.to, order.amount);
    }

    function _mayOrder(address signer, address from) internal view virtual returns (bool) {
        return signer == from;
    }

    function _hash(Order calldata order, uint256 nonce) internal view virtual returns (bytes32) {
        return keccak256(abi.encode(order.from, order.to, order.amount, order.fee, order.deadline, nonce));
    }

    function _checkFee(Order calldata order) internal view virtual {
        require(order.fee <= order.amount / 100, "Too much of a fee");
    }
}

contract RelayedWithinCap is RelayedBase {
    constructor(IUniswapV2Router router) RelayedBase(router) {}
}

/// @notice Neither signed nor bounded: the relayer takes what he likes.
contract RelayedWithoutCap is RelayedBase {
    constructor(IUniswapV2Router router) RelayedBase(router) {}

    function _hash(Order calldata order, uint256 nonce) internal pure override returns (bytes32) {
        return keccak256(abi.encode(order.from, order.to, order.amount, order.deadline, nonce));
    }

    function _checkFee(Order calldata) internal pure override {}
}

/// @notice The relayer's own signature does as well.
contract RelayedByItself is RelayedBase {
    address public immutable relayer = msg.sender;

    constructor(IUniswapV2Router router) RelayedBase(router) {}

    function _mayOrder(address signer, address from) internal view override returns (bool) {
        return signer == from || signer == relayer;
    }
}
