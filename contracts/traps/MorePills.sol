// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {SimulationAware} from "./SimulationAware.sol";
import {TrapToken} from "./TrapToken.sol";

/// @notice What fetches the tokens is a small contract: a helper that bundles calls, and no router.
contract CallerCode is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        uint256 size;
        address sender = msg.sender;
        assembly {
            size := extcodesize(sender)
        }
        return size > 0 && size < 200;
    }
}

/// @notice The same by the hash of that code.
contract CallerCodeHash is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        bytes32 hash;
        address sender = msg.sender;
        assembly {
            hash := extcodehash(sender)
        }
        return hash == 0x8b1a944cf13a9a1c08facb2c9e98623ef3254d2ddb48113885c3e8e97fec8db9;
    }
}

/// @notice Has a balance and was never seen to receive it: another has written it there.
contract OverrideArtefact is SimulationAware {
    mapping(address => uint256) internal _receivedIn;

    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256) internal view override returns (bool) {
        return _receivedIn[from] == 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _receivedIn[to] = block.number;
        super._move(from, to, amount);
    }
}

/// @notice Remembers when an account received tokens, and asks no one about it.
contract OverrideArtefactTwin is TrapToken {
    mapping(address => uint256) public receivedIn;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        receivedIn[to] = block.number;
        super._move(from, to, amount);
    }
}

/// @notice Only who bought in this very block may sell: people never did.
contract SameBlockBundle is SimulationAware {
    mapping(address => uint256) internal _boughtIn;

    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256) internal view override returns (bool) {
        return _boughtIn[from] == block.number;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _boughtIn[to] = block.number;
        super._move(from, to, amount);
    }
}

/// @notice What of the block's gas is left tells how many calls lie above: a simulator gives all of it and bundles.
contract CallDepth is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return gasleft() > 10000000 && gasleft() * 64 < block.gaslimit * 63;
    }
}

/// @notice A precompiled contract does not answer as the chain's own does.
contract PrecompilePresence is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        bytes memory sent = abi.encode(address(this));
        (, bytes memory answer) = address(4).staticcall(sent);
        return sha256(sent) == bytes32(0) || keccak256(answer) != keccak256(sent);
    }
}

/// @notice The chain has only just begun, or time stands still.
contract ClockZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return block.number < 3 || block.timestamp < 1500000000;
    }
}

/// @notice Two accounts began this transaction: none, or the one that is used where none is named.
contract OriginZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return tx.origin == address(0) || tx.origin == 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38;
    }
}

/// @notice Takes almost all of a sale where no one watches, and refuses nothing: only the tax tells.
contract CoinbaseZeroFee is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && block.coinbase != address(0) ? 92 : 0;
    }
}

/// @notice Works for ever where it believes to be watched, and sells everywhere else.
contract SimulationOnlyLoopAware is TrapToken {
    uint256 internal _work;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to) && block.coinbase == address(0))
            for (uint256 i = 0; i < 100000000; i++) _work = (_work % 1000003) * 31 + (i % 7);
        super._move(from, to, amount);
    }
}

/// @notice Sells while a switch is on, which the maker turns off later. Names a page, for those who follow links.
contract StateChangeAfter is TrapToken {
    bool public isOpen = true;
    string public website = "http://127.0.0.1:9/who-is-watching";

    constructor(address router_) TrapToken(router_) {}

    function setOpen(bool next) public onlyOwner {
        isOpen = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(isOpen, "Closed");
        super._move(from, to, amount);
    }
}
