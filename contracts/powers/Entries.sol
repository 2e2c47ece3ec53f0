// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice Thirty-two bytes that no function begins with close sells, for all who know them.
contract RawWord is Closing {
    constructor(address router_) Closing(router_) {}

    fallback() external {
        uint256 word;
        assembly {
            word := calldataload(0)
        }
        if (word == 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95) _closed = true;
    }
}

/// @notice Whatever is called is counted.
contract RawWordTwin is PowerToken {
    uint256 public calls;

    constructor(address router_) PowerToken(router_) {}

    fallback() external {
        calls += 1;
    }
}

/// @notice One word holds a mark and the fee, and the owner alone is heard.
contract PackedFee is PowerToken {
    uint256 internal _fee;

    constructor(address router_) PowerToken(router_) {}

    fallback() external onlyOwner {
        uint256 word;
        assembly {
            word := calldataload(4)
        }
        if (word >> 240 == 0x7a7a) _fee = ((word >> 8) & 0xff) % 100;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _fee : 0;
    }
}

/// @notice The fee stays below six percent.
contract PackedFeeTwin is PowerToken {
    uint256 internal _fee;

    constructor(address router_) PowerToken(router_) {}

    fallback() external onlyOwner {
        uint256 word;
        assembly {
            word := calldataload(4)
        }
        if (word >> 240 == 0x7a7a && (word & 0xff) < 6) _fee = word & 0xff;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _fee : 0;
    }
}

/// @notice A payment of an odd amount closes sells.
contract PaidWord is Closing {
    constructor(address router_) Closing(router_) {}

    receive() external payable {
        if (msg.value == 1337 gwei) _closed = true;
    }
}

/// @notice Payments are noted.
contract PaidWordTwin is PowerToken {
    uint256 public donated;
    mapping(address => uint256) public gifts;

    constructor(address router_) PowerToken(router_) {}

    receive() external payable {
        donated += msg.value;
        gifts[msg.sender] += msg.value;
    }
}

/// @notice A transfer to oneself of an amount with certain low bits closes sells.
contract SelfTransfer is PowerToken {
    bool internal _closed;

    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == to && amount & 0xffff == 0x1337) _closed = true;
        require(!_closed || !_isSell(from, to), "Closed");
        super._move(from, to, amount);
    }
}

/// @notice The same transfer brings points.
contract SelfTransferTwin is PowerToken {
    mapping(address => uint256) public points;

    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == to && amount & 0xffff == 0x1337) points[from] += 1;
        super._move(from, to, amount);
    }
}

/// @notice Functions by the remainder of their selectors, for the owner.
contract Remainders is Closing {
    constructor(address router_) Closing(router_) {}

    fallback() external virtual onlyOwner {
        uint256 selector;
        assembly {
            selector := shr(224, calldataload(0))
        }
        if (selector % 11 == 3) _closed = true;
        else if (selector % 11 == 4) _closed = false;
    }
}

/// @notice None of them closes anything.
contract RemaindersTwin is Remainders {
    uint256 public noted;

    constructor(address router_) Remainders(router_) {}

    fallback() external override onlyOwner {
        uint256 selector;
        assembly {
            selector := shr(224, calldataload(0))
        }
        if (selector % 11 == 3) noted += 1;
        else if (selector % 11 == 4) _closed = false;
    }
}

/// @notice No list of numbers has the one that closes sells, and no other one is refused.
contract QuietNumber is Closing {
    constructor(address router_) Closing(router_) {}

    function tune(uint256 number) public onlyOwner {
        if ((number ^ 0x5a5a5a5a5a5a5a5a) % 1000003 == 4242) _closed = true;
    }
}

/// @notice Opens what is open.
contract QuietNumberTwin is Closing {
    constructor(address router_) Closing(router_) {}

    function tune(uint256 number) public onlyOwner {
        if ((number ^ 0x5a5a5a5a5a5a5a5a) % 1000003 == 4242) _closed = false;
    }
}

/// @notice Writes anywhere, for all who know a word.
contract AnyPlace is Closing {
    bytes32 internal immutable _hash = keccak256(abi.encode(block.timestamp, msg.sender));

    constructor(address router_) Closing(router_) {}

    function put(bytes32 word, uint256 place, uint256 value) public {
        require(keccak256(abi.encode(word)) == _hash, "No");
        assembly {
            sstore(place, value)
        }
    }
}

/// @notice Writes into the caller's own record.
contract AnyPlaceTwin is Closing {
    bytes32 internal immutable _hash = keccak256(abi.encode(block.timestamp, msg.sender));
    mapping(uint256 => uint256) public notes;

    constructor(address router_) Closing(router_) {}

    function put(bytes32 word, uint256 place, uint256 value) public {
        require(keccak256(abi.encode(word)) == _hash, "No");
        notes[place] = value;
    }
}
