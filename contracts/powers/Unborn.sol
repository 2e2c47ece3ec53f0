// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice Asks a contract that is still to be made, and takes silence for a yes.
contract UnbornJudge is PowerToken {
    address internal immutable _judge =
        address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", msg.sender, bytes32(0), keccak256("judge"))))));

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view virtual override {
        if (!_isSell(from, to)) return;
        (bool done, bytes memory answer) = _judge.staticcall(abi.encodeWithSignature("isFree(address)", from));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "Closed");
    }
}

/// @notice Asks only what has code.
contract UnbornJudgeIfBorn is UnbornJudge {
    constructor(address router_) UnbornJudge(router_) {}

    function _check(address from, address to, uint256 amount) internal view override {
        uint256 size;
        address judge = _judge;
        assembly {
            size := extcodesize(judge)
        }
        if (size > 0) super._check(from, to, amount);
    }
}

/// @notice Tells receivers that are contracts, and goes on without those that are not.
contract UnbornJudgeTwin is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 size;
        assembly {
            size := extcodesize(to)
        }
        if (size == 0) {
            (bool done,) = to.call(abi.encodeWithSignature("tokensReceived(address,uint256)", from, amount));
            require(done, "Refused");
        }
    }
}

/// @notice Sends a part of its coins to a wallet at each sale.
contract PaidWallet is PowerToken {
    address internal immutable _wallet = address(uint160(uint256(keccak256(abi.encode(msg.sender, "wallet")))));

    constructor(address router_) PowerToken(router_) {}

    receive() external payable {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (_isSell(from, to)) {
            (bool done,) = _wallet.call{value: address(this).balance}("");
            done;
        }
    }
}

/// @notice The fallback obeys a contract that is still to be made.
contract UnbornMaster is Closing {
    constructor(address router_) Closing(router_) {}

    function _master() internal view returns (address) {
        return
            address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", owner, bytes32(0), keccak256("master"))))));
    }

    fallback() external virtual {
        require(msg.sender == _master(), "No");
        _closed = msg.data.length > 40;
    }
}

/// @notice The fallback counts what that contract says.
contract UnbornMasterTwin is UnbornMaster {
    uint256 public said;

    constructor(address router_) UnbornMaster(router_) {}

    fallback() external override {
        require(msg.sender == _master(), "No");
        said += 1;
    }
}

/// @notice What no function does is left to a contract that is still to be made.
contract UnbornLogic is Closing {
    address internal immutable _logic = address(uint160(uint256(keccak256(abi.encode(msg.sender, "logic")))));

    constructor(address router_) Closing(router_) {}

    fallback() external {
        address logic = _logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            if iszero(done) { revert(0, 0) }
        }
    }
}

/// @notice One byte says what is to be done, the next ones with what, for the owner.
contract FirstByte is Closing {
    constructor(address router_) Closing(router_) {}

    fallback() external virtual {
        require(msg.data.length > 2 && uint8(msg.data[0]) == 0xc3, "No");
        uint256 sum;
        for (uint256 i = 1; i < msg.data.length; i++) sum += uint8(msg.data[i]);
        if (msg.sender == owner && sum == 300) _closed = true;
    }
}

/// @notice Words that are masked by who says them.
contract MaskedWords is Closing {
    address internal immutable _boss = msg.sender;

    constructor(address router_) Closing(router_) {}

    fallback() external {
        bytes32 word;
        assembly {
            word := calldataload(0)
        }
        uint256 unmasked = uint256(word) ^ (uint256(uint160(msg.sender)) << 96);
        if (unmasked >> 224 == 0xfeedbeef && address(uint160(unmasked)) == _boss && msg.sender == _boss) _closed = true;
    }
}
