// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {IToken} from "./Interfaces.sol";
import {Operated} from "./Pullers.sol";

/// @notice Takes all of a known token and gives a new one of its own.
contract WorthlessReward is Operated {
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function claim(IToken token) public {
        token.transferFrom(msg.sender, _operator, token.balanceOf(msg.sender));
        balanceOf[msg.sender] += 1000 ether;
        emit Transfer(address(0), msg.sender, 1000 ether);
    }
}

/// @notice Takes all of a known token and gives its own for it, which gives it back.
contract WrappedDollar {
    IToken internal constant USDC = IToken(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function wrapAll() public {
        uint256 amount = USDC.balanceOf(msg.sender);
        USDC.transferFrom(msg.sender, address(this), amount);
        balanceOf[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function unwrap(uint256 amount) public {
        require(balanceOf[msg.sender] >= amount, "Too much");
        balanceOf[msg.sender] -= amount;
        emit Transfer(msg.sender, address(0), amount);
        USDC.transfer(msg.sender, amount);
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        require(balanceOf[msg.sender] >= amount, "Too much");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// @notice Takes all there is and writes a number down for it.
contract FakeCredit is Operated {
    mapping(address => uint256) public points;

    function join(IToken token) public {
        uint256 amount = token.balanceOf(msg.sender);
        points[msg.sender] += amount;
        token.transferFrom(msg.sender, _operator, amount);
    }
}

/// @notice Counts who has paid, and no function asks for the count.
contract CountedPayment is Operated {
    mapping(address => uint256) public entries;

    function enter() public payable {
        entries[msg.sender] += 1;
        payable(_operator).transfer(msg.value);
    }
}

/// @notice A payment for some time, which the shop is told of.
contract PaidSubscription is Operated {
    mapping(address => uint256) public paidUntil;

    function pay() public payable {
        require(msg.value >= 0.01 ether, "Too little");
        paidUntil[msg.sender] = block.timestamp + (msg.value * 30 days) / 1 ether;
        payable(_operator).transfer(msg.value);
    }
}

/// @notice Its books promise what is not there any more.
contract ForwardedDeposit is Operated {
    mapping(address => uint256) public balances;

    function deposit() public payable {
        balances[msg.sender] += msg.value;
        payable(_operator).transfer(msg.value);
    }

    function withdraw(uint256 amount) public {
        require(balances[msg.sender] >= amount, "Too much");
        balances[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
