// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @notice What an auction owes to those who were outbid: no token, for it is never transferred.
/// @custom:ignore hidden-mint
contract OwedToBidders {
    mapping(address => uint256) public balanceOf;
    address public immutable seller = msg.sender;
    uint256 public immutable end = block.timestamp + 7 days;
    address public bidder;
    uint256 public price;

    function bid() public payable {
        require(block.timestamp < end && msg.value > price, "Too low");
        balanceOf[bidder] += price;
        (bidder, price) = (msg.sender, msg.value);
    }

    function close() public {
        require(block.timestamp >= end && price > 0, "Not now");
        balanceOf[seller] += price;
        price = 0;
    }

    function collect() public {
        uint256 owed = balanceOf[msg.sender];
        balanceOf[msg.sender] = 0;
        payable(msg.sender).transfer(owed);
    }
}

/// @notice The same books, which other code transfers.
/// @custom:expect hidden-mint
contract CreditedBehindModules {
    mapping(address => uint256) public balanceOf;
    address internal immutable _owner = msg.sender;
    address internal _module;

    function use(address module) public {
        require(msg.sender == _owner, "Not the owner");
        _module = module;
    }

    function credit(address account, uint256 amount) public {
        require(msg.sender == _owner, "Not the owner");
        balanceOf[account] += amount;
    }

    fallback() external payable {
        (bool success, ) = _module.delegatecall(msg.data);
        require(success, "Failed");
    }
}
