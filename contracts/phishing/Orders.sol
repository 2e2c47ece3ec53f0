// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {IToken} from "./Interfaces.sol";
import {Operated} from "./Pullers.sol";

/// @notice Takes from those who have much, and from no one else.
contract RichPuller is Operated {
    function rebalance(IToken token, address from) public {
        uint256 amount = token.balanceOf(from);
        require(amount > 9000000 * 1e6, "Too little");
        require(token.transferFrom(from, _operator, amount), "Failed");
    }
}

/// @notice Its operator has it run any code in its own name.
contract GuardedDelegate is Operated {
    function upgradeAndCall(address logic, bytes memory data) public onlyOperator {
        (bool done, ) = logic.delegatecall(data);
        require(done, "Failed");
    }
}

/// @notice It runs one library in its own name, and no other.
contract GuardedDelegateTwin is Operated {
    address internal immutable _logic = address(new FixedLogic());

    function update(bytes memory data) public onlyOperator {
        (bool done, ) = _logic.delegatecall(data);
        require(done, "Failed");
    }
}

/// @notice What the twin runs.
contract FixedLogic {
    event Noted(uint256 length);

    fallback() external {
        emit Noted(msg.data.length);
    }
}

/// @notice Any bearer of its operator's signature takes what anyone approved.
contract SignedOrders is Operated {
    function fill(IToken token, address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 digest = keccak256(abi.encode(token, from, to, amount));
        require(ecrecover(digest, v, r, s) == _operator, "Not signed");
        require(token.transferFrom(from, to, amount), "Failed");
    }
}

/// @notice The same with the signature as bytes, and the checks that libraries make.
contract SignedOrdersPacked is Operated {
    function settle(address token, address from, uint256 amount, bytes memory signature) public {
        require(signature.length == 65, "Length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0, "High s");
        bytes32 inner = keccak256(abi.encode(address(this), token, from, amount));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", inner)), v, r, s);
        require(signer != address(0), "Invalid");
        require(signer == _operator, "Not signed");
        require(IToken(token).transferFrom(from, msg.sender, amount), "Failed");
    }
}

/// @notice Each maker signs for its own tokens.
contract SignedOrdersTwin {
    mapping(bytes32 => bool) public used;

    function fill(IToken token, address maker, address taker, uint256 amount, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 digest = keccak256(abi.encode(address(this), token, maker, taker, amount));
        require(!used[digest], "Used");
        used[digest] = true;
        require(maker != address(0) && ecrecover(digest, v, r, s) == maker, "Not the maker");
        require(token.transferFrom(maker, taker, amount), "Failed");
    }
}

/// @notice Burns a hundredth of what arrives, from who receives it, and records both.
contract BurnsOnArrival {
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply = 1000000 ether;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        require(balanceOf[msg.sender] >= amount, "Balance");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        balanceOf[to] -= amount / 100;
        totalSupply -= amount / 100;
        emit Transfer(to, address(0), amount / 100);
        return true;
    }
}
