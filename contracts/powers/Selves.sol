// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice Sells are closed by the token itself alone.
abstract contract SelfRuled is Closing {
    constructor(address router_) Closing(router_) {}

    function close(bool next) public virtual {
        require(msg.sender == address(this), "Only itself");
        _closed = next;
    }
}

/// @notice Tokens are sent with words for their receiver, which may be the token.
contract SpokenTransfer is SelfRuled {
    constructor(address router_) SelfRuled(router_) {}

    function transferAndCall(address to, uint256 amount, bytes memory words) public virtual returns (bool) {
        transfer(to, amount);
        (bool done,) = to.call(words);
        require(done, "Refused");
        return true;
    }
}

/// @notice The token is no receiver.
contract SpokenTransferTwin is SpokenTransfer {
    constructor(address router_) SpokenTransfer(router_) {}

    function transferAndCall(address to, uint256 amount, bytes memory words) public override returns (bool) {
        require(to != address(this), "Not to itself");
        return super.transferAndCall(to, amount, words);
    }
}

/// @notice The owner calls what he likes in the token's name, the token as well.
contract OwnerExecutes is SelfRuled {
    constructor(address router_) SelfRuled(router_) {}

    function execute(address target, uint256 value, bytes memory data) public onlyOwner returns (bytes memory) {
        (bool done, bytes memory answer) = target.call{value: value}(data);
        require(done, "Failed");
        return answer;
    }
}

/// @notice What only the token can do is to open.
contract OwnerExecutesTwin is OwnerExecutes {
    constructor(address router_) OwnerExecutes(router_) {}

    function close(bool) public override {
        require(msg.sender == address(this), "Only itself");
        _closed = false;
    }
}

interface Receiver {
    function onTransferReceived(address operator, address from, uint256 amount, bytes calldata data)
        external
        returns (bytes4);
}

/// @notice Receivers are told, and the token listens to itself.
contract ToldReceiver is Closing, Receiver {
    constructor(address router_) Closing(router_) {}

    function transferAndCall(address to, uint256 amount, bytes memory data) public returns (bool) {
        transfer(to, amount);
        require(Receiver(to).onTransferReceived(msg.sender, msg.sender, amount, data) == 0x88a7ca5c, "Refused");
        return true;
    }

    function onTransferReceived(address operator, address, uint256 amount, bytes calldata)
        external
        override
        returns (bytes4)
    {
        require(msg.sender == address(this), "Only itself");
        _hear(operator, amount);
        return 0x88a7ca5c;
    }

    function _hear(address operator, uint256) internal virtual {
        if (operator == owner) _closed = true;
    }
}

/// @notice It notes what it was given.
contract ToldReceiverTwin is ToldReceiver {
    uint256 public given;

    constructor(address router_) ToldReceiver(router_) {}

    function _hear(address, uint256 amount) internal override {
        given += amount;
    }
}

/// @notice Several calls at once, made by the token, for the owner.
contract SelfCalls is SelfRuled {
    constructor(address router_) SelfRuled(router_) {}

    function batch(bytes[] memory calls) public onlyOwner {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = address(this).call(calls[i]);
            require(done, "Failed");
        }
    }
}

/// @notice Several calls at once, each in the caller's own name.
contract SelfCallsTwin is SelfRuled {
    constructor(address router_) SelfRuled(router_) {}

    function batch(bytes[] memory calls) public {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = address(this).delegatecall(calls[i]);
            require(done, "Failed");
        }
    }
}

/// @notice The token needs no allowance, and each account that approves something may have it called.
contract SelfAllowed is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function _needsAllowance(address spender) internal view virtual override returns (bool) {
        return spender != address(this);
    }

    function approveAndCall(address spender, uint256 amount, bytes memory data) public returns (bool) {
        approve(spender, amount);
        (bool done,) = spender.call(data);
        require(done, "Refused");
        return true;
    }
}

/// @notice The token needs an allowance like all others.
contract SelfAllowedTwin is SelfAllowed {
    constructor(address router_) SelfAllowed(router_) {}

    function _needsAllowance(address) internal view override returns (bool) {
        return true;
    }
}
