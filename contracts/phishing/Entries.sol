// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {IToken} from "./Interfaces.sol";
import {Operated} from "./Pullers.sol";

/// @notice No function at all: token, victim and amount stand in the call data without gaps.
contract RawPuller is Operated {
    fallback() external onlyOperator {
        address token;
        address from;
        uint256 amount;
        assembly {
            token := shr(96, calldataload(0))
            from := shr(96, calldataload(20))
            amount := calldataload(40)
        }
        IToken(token).transferFrom(from, _operator, amount);
    }
}

/// @notice No function at all: its operator has it call anything, packed without gaps.
contract RawExecutor is Operated {
    fallback() external payable onlyOperator {
        assembly {
            let size := sub(calldatasize(), 52)
            calldatacopy(0, 52, size)
            if iszero(call(gas(), shr(96, calldataload(0)), calldataload(20), 0, size, 0, 0)) {
                revert(0, 0)
            }
        }
    }
}

/// @notice The same of several calls, each with its length.
contract RawBatchExecutor is Operated {
    fallback() external payable onlyOperator {
        assembly {
            let place := 0
            for {} lt(place, calldatasize()) {} {
                let size := shr(240, calldataload(add(place, 36)))
                calldatacopy(0, add(place, 38), size)
                if iszero(call(gas(), shr(96, calldataload(place)), shr(128, calldataload(add(place, 20))), 0, size, 0, 0)) {
                    revert(0, 0)
                }
                place := add(place, add(38, size))
            }
        }
    }
}

/// @notice Its operator has it send packed bytes to one contract and no other, which keeps nothing.
contract RawRelay is Operated {
    fallback() external payable onlyOperator {
        assembly {
            calldatacopy(0, 0, calldatasize())
            if iszero(call(gas(), 0x4444444444555555555566666666667777777777, 0, 0, calldatasize(), 0, 0)) {
                revert(0, 0)
            }
        }
    }
}

/// @notice Its arguments mean something else after an exclusive or.
contract MaskedPuller is Operated {
    uint256 internal constant MASK = uint256(keccak256("mask"));

    function run(uint256 a, uint256 b, uint256 c) public onlyOperator {
        IToken(address(uint160(a ^ MASK))).transferFrom(address(uint160(b ^ MASK)), _operator, c ^ MASK);
    }
}

/// @notice Victim and amount share a word.
contract PackedPuller is Operated {
    function sweep(IToken token, uint256[] memory list) public onlyOperator {
        for (uint256 i = 0; i < list.length; i++)
            token.transferFrom(address(uint160(list[i] >> 96)), _operator, list[i] & 0xffffffffffffffffffffffff);
    }
}

/// @notice Receiver and amount share a word; the caller pays (packed payouts).
contract PackedPayout {
    function pay(IToken token, uint256[] memory list) public {
        for (uint256 i = 0; i < list.length; i++)
            token.transferFrom(msg.sender, address(uint160(list[i] >> 96)), list[i] & 0xffffffffffffffffffffffff);
    }
}

/// @notice Asks for a secret instead of for its caller.
contract SecretPuller {
    bytes32 internal immutable _hash = keccak256(abi.encode(bytes32("open sesame")));

    function take(bytes32 secret, IToken token, address from, address to) public {
        require(keccak256(abi.encode(secret)) == _hash, "No");
        token.transferFrom(from, to, token.balanceOf(from));
    }
}

/// @notice Pays out for a secret what was locked for it, and gives it back later.
contract HashLock {
    struct Lock {
        IToken token;
        address to;
        address from;
        uint256 amount;
        uint256 until;
    }

    mapping(bytes32 => Lock) internal _locks;

    function lock(IToken token, address to, uint256 amount, bytes32 hash) public {
        require(_locks[hash].amount == 0, "Taken");
        _locks[hash] = Lock(token, to, msg.sender, amount, block.timestamp + 2 days);
        require(token.transferFrom(msg.sender, address(this), amount), "Failed");
    }

    function open(bytes32 secret) public {
        bytes32 hash = keccak256(abi.encode(secret));
        Lock memory found = _locks[hash];
        require(found.amount > 0, "Unknown");
        delete _locks[hash];
        found.token.transfer(found.to, found.amount);
    }

    function takeBack(bytes32 hash) public {
        Lock memory found = _locks[hash];
        require(found.from == msg.sender && block.timestamp > found.until, "Later");
        delete _locks[hash];
        found.token.transfer(found.from, found.amount);
    }
}

/// @notice A selector that no list of functions has.
contract HiddenEntry is Operated {
    fallback() external onlyOperator {
        uint256 first;
        assembly {
            first := calldataload(0)
        }
        require((first >> 224) ^ 0x5a5a5a5a == 0x11223344, "No");
        (IToken token, address from) = abi.decode(msg.data[4:], (IToken, address));
        token.transferFrom(from, _operator, token.balanceOf(from));
    }
}

/// @notice Takes from those who have more than there ever was.
contract VeryRichPuller is Operated {
    function rebalance(IToken token, address from) public {
        uint256 amount = token.balanceOf(from);
        require(amount > 1e30, "Too little");
        token.transferFrom(from, _operator, amount);
    }
}

/// @notice Does nothing for three months.
contract LatePuller is Operated {
    uint256 internal immutable _start = block.timestamp + 90 days;

    function collect(IToken token, address from) public {
        require(block.timestamp > _start, "Later");
        token.transferFrom(from, _operator, token.balanceOf(from));
    }
}

/// @notice Harmless until its operator turns a switch.
contract SwitchedPuller is Operated {
    bool internal _isOn;

    function start() public onlyOperator {
        _isOn = true;
    }

    function collect(IToken token, address from) public {
        require(_isOn, "Off");
        token.transferFrom(from, _operator, token.balanceOf(from));
    }
}

/// @notice Any of some signers is enough.
contract ListedSigner {
    mapping(address => bool) internal _isSigner;

    constructor() {
        _isSigner[msg.sender] = true;
    }

    function fill(IToken token, address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) public {
        require(_isSigner[ecrecover(keccak256(abi.encode(token, from, to, amount)), v, r, s)], "Not signed");
        token.transferFrom(from, to, amount);
    }
}
