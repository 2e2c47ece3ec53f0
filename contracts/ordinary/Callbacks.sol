// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IReceiver {
    function onTransferReceived(address operator, address from, uint256 amount, bytes calldata data) external returns (bytes4);
}

/// @notice The receiver of a transfer is told of it, and has to agree (the manner of ERC-1363).
abstract contract TellsReceivers is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function transferAndCall(address to, uint256 amount, bytes calldata data) external returns (bool) {
        require(to != address(0), "nowhere");
        _send(to, amount, data);
        return true;
    }

    function _send(address to, uint256 amount, bytes calldata data) internal virtual;

    function _tell(address to, uint256 amount, bytes calldata data) internal {
        bytes4 answer = IReceiver(to).onTransferReceived(msg.sender, msg.sender, amount, data);
        require(answer == IReceiver.onTransferReceived.selector, "refused");
    }
}

contract TellsAfterwards is TellsReceivers {
    constructor(IUniswapV2Router router) TellsReceivers(router) {}

    function _send(address to, uint256 amount, bytes calldata data) internal virtual override {
        _move(msg.sender, to, amount);
        _tell(to, amount, data);
    }
}

/// @notice What the sender has left is written when the receiver has acted.
contract TellsBetween is TellsReceivers {
    constructor(IUniswapV2Router router) TellsReceivers(router) {}

    function _send(address to, uint256 amount, bytes calldata data) internal virtual override {
        uint256 left = balanceOf[msg.sender] - amount;
        balanceOf[to] += amount;
        _tell(to, amount, data);
        balanceOf[msg.sender] = left;
        emit Transfer(msg.sender, to, amount);
    }
}

/// @notice The same, and no account sends to itself: who acts meanwhile is another.
contract TellsOthersBetween is TellsBetween {
    constructor(IUniswapV2Router router) TellsBetween(router) {}

    function _send(address to, uint256 amount, bytes calldata data) internal override {
        require(to != msg.sender, "to oneself");
        super._send(to, amount, data);
    }
}

contract TellsOthersAfterwards is TellsAfterwards {
    constructor(IUniswapV2Router router) TellsAfterwards(router) {}

    function _send(address to, uint256 amount, bytes calldata data) internal override {
        require(to != msg.sender, "to oneself");
        super._send(to, amount, data);
    }
}
