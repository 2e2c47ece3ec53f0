// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";

/// @notice People wait forty minutes between receiving and sending, wherever they trade.
contract SlowTransfers is Erc20 {
    address private immutable maker = msg.sender;
    mapping(address => uint256) private _receivedAt;

    constructor() Erc20("Slow Transfers", "SLOW", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(from == maker || from.code.length > 0 || block.timestamp >= _receivedAt[from] + 40 minutes, "Wait");
        _receivedAt[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice A sale moves no more than a thousandth of the supply, wherever it is made; purchases have no limit.
contract SmallSales is Erc20 {
    address private immutable maker = msg.sender;

    constructor() Erc20("Small Sales", "SMALL", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(from == maker || from.code.length > 0 || amount <= totalSupply / 1_000, "Too much at once");
        super._move(from, to, amount);
    }
}

/// @notice An account without code can receive and never send: a trap on every exchange.
contract StuckTransfers is Erc20 {
    address private immutable maker = msg.sender;

    constructor() Erc20("Stuck Transfers", "STUCK", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(from == maker || from.code.length > 0, "Not you");
        super._move(from, to, amount);
    }
}

/// @notice A person sends a whole token or nothing.
contract LargeSales is Erc20 {
    address private immutable maker = msg.sender;

    constructor() Erc20("Large Sales", "LARGE", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(from == maker || from.code.length > 0 || amount >= 1 ether, "Too little");
        super._move(from, to, amount);
    }
}

/// @notice What a person sends of less than a whole token stays where it is, without a word.
contract LostDust is Erc20 {
    address private immutable maker = msg.sender;

    constructor() Erc20("Lost Dust", "DUST", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == maker || from.code.length > 0 || amount >= 1 ether) super._move(from, to, amount);
    }
}

/// @notice Five percent of what people send is burnt.
contract SmallTax is Erc20 {
    address private immutable maker = msg.sender;

    constructor() Erc20("Small Tax", "TAX", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 tax = from == maker || from.code.length > 0 ? 0 : (amount * 5 + 99) / 100;
        super._move(from, to, amount - tax);
        if (tax > 0) super._move(from, address(0xdead), tax);
    }
}

/// @notice One purchase brings a hundred tokens at most.
contract SmallPurchases is Erc20 {
    uint256 private constant MOST = 100 ether;
    address internal immutable maker = msg.sender;

    constructor() Erc20("Small Purchases", "BUY", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        require(from == maker || from.code.length == 0 || amount <= MOST, "Too much at once");
        super._move(from, to, amount);
    }
}

/// @notice An account without code may hold a hundred tokens at most.
contract SmallPurse is Erc20 {
    uint256 private constant MOST = 100 ether;
    address private immutable maker = msg.sender;

    constructor() Erc20("Small Purse", "PURSE", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(to == maker || to.code.length > 0 || balanceOf[to] + amount <= MOST, "Purse is full");
        super._move(from, to, amount);
    }
}

/// @notice The trap behind a limit: what little can be bought cannot be sold.
contract SmallPurchasesStuck is SmallPurchases {
    function _move(address from, address to, uint256 amount) internal override {
        require(from == maker || from.code.length > 0, "Not you");
        super._move(from, to, amount);
    }
}

/// @notice No exchange can hand it out.
contract NoPurchases is Erc20 {
    address private immutable maker = msg.sender;

    constructor() Erc20("No Purchases", "NONE", 1_000_000) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(from == maker || from.code.length == 0, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice Two of a hundred are kept at first, `_laterTax` from 12 hours on, and from `billAfter` on a transfer uses up `_bill` gas
/// besides, as a token does that goes through a list which has grown.
contract GrowingBill is Erc20 {
    address private immutable maker = msg.sender;
    uint256 private immutable _deployedAt = block.timestamp;
    uint256 private immutable _billAfter;
    uint256 private immutable _bill;
    uint256 private immutable _laterTax;

    constructor(uint256 billAfter, uint256 bill, uint256 laterTax) Erc20("Growing Bill", "BILL", 1_000_000) {
        _billAfter = billAfter;
        _bill = bill;
        _laterTax = laterTax;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 age = block.timestamp - _deployedAt;
        uint256 start = gasleft();
        while (age >= _billAfter && start - gasleft() < _bill) continue;
        uint256 tax = from == maker ? 0 : (amount * (age < 12 hours ? 2 : _laterTax)) / 100;
        super._move(from, to, amount - tax);
        if (tax > 0) super._move(from, address(0xdead), tax);
    }
}
