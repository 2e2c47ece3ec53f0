// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice Numbered things, all of them the maker's at first.
contract Things {
    mapping(uint256 => address) internal _owners;
    mapping(uint256 => address) internal _approved;

    constructor(address first) {
        for (uint256 i = 0; i < 9; i++) _owners[i * 111] = first;
    }

    function ownerOf(uint256 id) public view returns (address) {
        require(_owners[id] != address(0), "No such thing");
        return _owners[id];
    }

    function approve(address to, uint256 id) public {
        require(msg.sender == _owners[id], "Not yours");
        _approved[id] = to;
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(to != address(0), "To no account");
        require(_owners[id] == from, "Not theirs");
        require(msg.sender == from || msg.sender == _approved[id], "Not yours");
        _owners[id] = to;
    }

    function safeTransferFrom(address from, address to, uint256 id) public {
        transferFrom(from, to, id);
        uint256 size;
        assembly {
            size := extcodesize(to)
        }
        if (size > 0) require(ThingReceiver(to).onERC721Received(msg.sender, from, id, "") == 0x150b7a02, "Refused");
    }
}

interface ThingReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// @notice One of the maker's things, received, closes sells.
contract ReceivedThing is Closing {
    Things internal immutable _things = new Things(msg.sender);

    constructor(address router_) Closing(router_) {}

    function onERC721Received(address, address, uint256 id, bytes calldata) external returns (bytes4) {
        if (msg.sender == address(_things)) _receive(id);
        return 0x150b7a02;
    }

    function _receive(uint256 id) internal virtual {
        if (id == 777) _closed = true;
    }
}

/// @notice Things that are received are counted.
contract ReceivedThingTwin is ReceivedThing {
    uint256 public count;

    constructor(address router_) ReceivedThing(router_) {}

    function _receive(uint256) internal override {
        count += 1;
    }
}

/// @notice A thing of any kind will do, if it has the number.
contract AnyThing is Closing {
    constructor(address router_) Closing(router_) {}

    function onERC1155Received(address, address, uint256 id, uint256, bytes calldata) external returns (bytes4) {
        if (uint256(keccak256("thing")) >> 128 == id) _closed = true;
        return 0xf23a6e61;
    }
}

/// @notice What its owner sends it, of any token that tells receivers, closes sells.
contract HeardTokens is Closing {
    constructor(address router_) Closing(router_) {}

    function tokensReceived(address operator, address, address, uint256 amount, bytes calldata data, bytes calldata)
        external
    {
        if (operator == owner && data.length == 3 && amount != 0) _hear();
    }

    function _hear() internal virtual {
        _closed = true;
    }
}

/// @notice It opens them, which are open.
contract HeardTokensTwin is HeardTokens {
    constructor(address router_) HeardTokens(router_) {}

    function _hear() internal override {
        _closed = false;
    }
}

/// @notice Sells go on while the maker keeps one of the things.
contract KeptThing is PowerToken {
    Things internal immutable _things = new Things(msg.sender);
    address internal immutable _maker = msg.sender;

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to)) require(_mayGoOn(), "Closed");
    }

    function _mayGoOn() internal view virtual returns (bool) {
        return _things.ownerOf(777) == _maker;
    }
}

/// @notice Sells go on whichever account has the thing.
contract KeptThingTwin is KeptThing {
    constructor(address router_) KeptThing(router_) {}

    function _mayGoOn() internal view override returns (bool) {
        return _things.ownerOf(777) != address(0);
    }
}

/// @notice Another token, all of it the maker's.
contract Chips {
    mapping(address => uint256) public balanceOf;

    constructor(address first) {
        balanceOf[first] = 1000 ether;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        require(balanceOf[msg.sender] >= amount, "Balance too small");
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// @notice Sells end when the token has been sent something else.
contract SentChips is PowerToken {
    Chips internal immutable _chips = new Chips(msg.sender);

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view virtual override {
        if (_isSell(from, to)) require(_chips.balanceOf(address(this)) < 5 ether, "Closed");
    }
}

/// @notice Who has some of the other token is told so, and sells all the same.
contract SentChipsTwin is SentChips {
    constructor(address router_) SentChips(router_) {}

    function _check(address from, address to, uint256 amount) internal view override {
        if (_isSell(from, to)) require(amount > 0 || _chips.balanceOf(address(this)) < 5 ether, "Closed");
    }
}

/// @notice Sells end when the token has been sent coins.
contract SentCoins is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    receive() external payable {}

    function _check(address from, address to, uint256) internal view virtual override {
        if (_isSell(from, to)) require(address(this).balance < 2 ether, "Closed");
    }
}
