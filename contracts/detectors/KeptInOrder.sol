// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice A record of each block in which something moved, in order.
abstract contract Diary is DetectorToken {
    struct Entry {
        uint48 height;
        uint208 moved;
    }

    Entry[] internal _entries;

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 count = _entries.length;
        if (count > 0) require(_entries[count - 1].height <= uint48(block.number), "Out of order");
        _entries.push(Entry(uint48(block.number), uint208(amount)));
    }
}

/// @custom:ignore environment-transfer
contract DiaryInOrder is Diary {
    function note() public {
        _entries.push(Entry(uint48(block.number), 0));
    }
}

/// @notice The owner notes a day to come, and until then nothing moves.
/// @custom:expect environment-transfer
contract DiaryAhead is Diary {
    function note(uint48 height) public onlyOwner {
        _entries.push(Entry(height, 0));
    }
}

/// @notice What is moved is divided by an index, which may not be zero.
abstract contract Indexed is DetectorToken {
    uint256 public index = 1e18;

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, (((amount * 1e18) / index) * index) / 1e18);
    }
}

/// @custom:ignore trading-switch
contract IndexOfItself is Indexed {
    function rebase() public {
        index += (index * 3) / 10000;
    }

    function correct() public onlyOwner {
        index -= index / 100;
    }
}

/// @notice A number of the caller's can undo the index, since nothing looks whether the sum fits.
/// @custom:expect trading-switch
contract IndexOfCaller is Indexed {
    function rebase(uint256 by) public onlyOwner {
        unchecked {
            index += by;
        }
    }
}

/// @notice Steps of at most a hundredth: to come to zero takes thousands of them.
/// @custom:ignore trading-switch
contract IndexInSteps is Indexed {
    function rebase(uint256 next) public onlyOwner {
        require(next >= (index * 99) / 100 && next <= (index * 101) / 100, "Too far");
        index = next;
    }
}

/// @notice A step may be all of it.
/// @custom:expect trading-switch
contract IndexInStrides is Indexed {
    function rebase(uint256 next) public onlyOwner {
        require(next >= (index * 1) / 100 && next <= index * 100, "Too far");
        index = next;
    }
}

/// @notice What is locked opens day by day; the length is asked only where something is locked.
abstract contract Locks is DetectorToken {
    struct Lock {
        uint128 amount;
        uint64 start;
        uint64 length;
    }

    mapping(address => Lock) internal _locks;

    function _lockedOf(address account) internal view virtual returns (uint256) {
        Lock memory lock = _locks[account];
        if (lock.amount == 0) return 0;
        uint256 past = block.timestamp - lock.start;
        return past >= lock.length ? 0 : lock.amount - (lock.amount * past) / lock.length;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_balances[from] - _lockedOf(from) >= amount, "Locked");
        super._move(from, to, amount);
    }
}

/// @custom:ignore whitelist
contract LocksOfTeam is Locks {
    function grant(address account, uint128 amount, uint64 length) public onlyOwner {
        _locks[account] = Lock(amount, uint64(block.timestamp), length);
    }
}

/// @notice Divides by the length of a lock whether there is one or not: only who has one passes.
/// @custom:expect whitelist
contract LocksOfAll is Locks {
    function grant(address account, uint128 amount, uint64 length) public onlyOwner {
        _locks[account] = Lock(amount, uint64(block.timestamp), length);
    }

    function _lockedOf(address account) internal view override returns (uint256) {
        Lock memory lock = _locks[account];
        return lock.amount / lock.length;
    }
}

/// @notice Sends what a holder signed for.
abstract contract Orders is DetectorToken {
    mapping(address => uint256) public nonces;

    function sendSigned(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 digest = keccak256(abi.encode(block.chainid, address(this), from, to, amount, nonces[from]++));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && _maySign(signer, from), "Not signed");
        _move(from, to, amount);
    }

    function _maySign(address signer, address from) internal view virtual returns (bool);
}

/// @custom:ignore balance-seizure
contract OrdersOfHolders is Orders {
    function _maySign(address signer, address from) internal pure override returns (bool) {
        return signer == from;
    }
}

/// @notice The owner's signature does as well.
/// @custom:expect balance-seizure
contract OrdersOfOwner is Orders {
    function _maySign(address signer, address from) internal view override returns (bool) {
        return signer == from || signer == _owner;
    }
}
