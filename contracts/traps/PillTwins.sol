// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Writes the block down with each transfer: miner, gas price, room, random number, hash, chain. Compares nothing.
contract BlockDiary is TrapToken {
    struct Entry {
        address coinbase;
        uint256 gasPrice;
        uint256 gasLimit;
        uint256 random;
        bytes32 parent;
        uint256 chain;
        uint256 time;
        uint256 height;
    }

    mapping(address => Entry) public diary;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 chain;
        assembly {
            chain := chainid()
        }
        diary[to] = Entry(block.coinbase, tx.gasprice, block.gaslimit, block.difficulty, blockhash(block.number - 1), chain, block.timestamp, block.number);
        super._move(from, to, amount);
    }
}

/// @notice A launch brake: no buyer may outbid others by more than a thousand gwei, and no account can lower that.
contract GasPriceCap is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) require(tx.gasprice <= 1000 gwei, "Too dear");
        super._move(from, to, amount);
    }
}

/// @notice Accounts may trade, contracts other than the exchange may not: those with code who are neither pool nor router.
contract PeopleOnly is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _hasCode(address who) internal view returns (bool) {
        uint256 size;
        assembly {
            size := extcodesize(who)
        }
        return size > 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) require(!_hasCode(to) && tx.origin == to, "People only");
        super._move(from, to, amount);
    }
}

/// @notice Nothing below a thousandth of a token is moved, nothing to the zero address, and nothing that the sender does not have.
contract PlainLimits is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(to != address(0) && to != address(1), "To no one");
        require(amount >= 1e12 || from == owner, "Too little");
        require(balanceOf(from) >= amount, "Balance too small");
        super._move(from, to, amount);
    }
}

/// @notice A lock against being called in the middle of a transfer, in storage.
contract LockedTransfer is TrapToken {
    uint256 internal _lock = 1;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(_lock == 1, "Locked");
        _lock = 2;
        super._move(from, to, amount);
        _lock = 1;
    }
}

/// @notice A permit is for one chain: its domain is computed again where the chain is another one.
contract PermitDomain is TrapToken {
    uint256 internal _chain;
    bytes32 public domain;

    constructor(address router_) TrapToken(router_) {
        _renew();
    }

    function _renew() internal {
        uint256 chain;
        assembly {
            chain := chainid()
        }
        _chain = chain;
        domain = keccak256(abi.encode(chain, address(this)));
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 chain;
        assembly {
            chain := chainid()
        }
        if (chain != _chain) _renew();
        super._move(from, to, amount);
    }
}

/// @notice Gives the miner who is there a share of what another leaves behind, outside of transfers.
contract MinerTips is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function tip() public payable {
        block.coinbase.transfer(msg.value);
    }
}

/// @notice Stops a loop over those who are owed when gas runs low, which harms no holder.
contract GasMetered is TrapToken {
    uint256 public rounds;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 before = gasleft();
        for (uint256 i = 0; i < 5 && gasleft() > 60000; i++) rounds += 1;
        if (before - gasleft() > 500000) rounds = 0;
        super._move(from, to, amount);
    }
}
