// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice A hundredth of each sale is shared among all who hold, and paid when it is asked for.
abstract contract SharesSales is Listed {
    uint256 private constant ONE = 1e27;

    uint256 public perToken;
    mapping(address => uint256) public seen;
    mapping(address => uint256) public owed;

    constructor(IUniswapV2Router router) Listed(router) {}

    function collect() external {
        _settle(msg.sender);
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function _settle(address account) internal {
        owed[account] += balanceOf[account] * (perToken - seen[account]) / ONE;
        seen[account] = perToken;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _settle(from);
        _meet(to);
        super._move(from, to, amount);
        if (to != pair) return;
        uint256 part = amount / 100;
        _burn(to, part);
        perToken += part * ONE / totalSupply;
    }

    function _meet(address to) internal virtual;
}

contract SharesOnce is SharesSales {
    constructor(IUniswapV2Router router) SharesSales(router) {}

    function _meet(address to) internal override {
        _settle(to);
    }
}

/// @notice A wallet that has nothing yet is taken for one that has earned from the first sale on.
contract SharesAgain is SharesSales {
    constructor(IUniswapV2Router router) SharesSales(router) {}

    function _meet(address to) internal override {
        if (balanceOf[to] != 0) _settle(to);
    }
}

/// @notice Keeps tokens out of sight for a day or more, and gives a little more back.
abstract contract KeepsForDays is Listed {
    struct Kept {
        uint256 amount;
        uint256 since;
    }

    mapping(address => Kept) public kept;

    constructor(IUniswapV2Router router) Listed(router) {}

    function keep(uint256 amount) external {
        _takeIn(amount);
        kept[msg.sender] = Kept(kept[msg.sender].amount + amount, block.timestamp);
    }

    function giveBack() external {
        Kept memory mine = kept[msg.sender];
        require(block.timestamp >= mine.since + 1 days, "too early");
        delete kept[msg.sender];
        uint256 amount = mine.amount + mine.amount * (block.timestamp - mine.since) / 5_000 days;
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function _takeIn(uint256 amount) internal virtual;
}

contract KeepsWhatIsThere is KeepsForDays {
    constructor(IUniswapV2Router router) KeepsForDays(router) {}

    function _takeIn(uint256 amount) internal override {
        _burn(msg.sender, amount);
    }
}

/// @notice Who has less than is to be kept gives all, and is credited the whole.
contract KeepsMore is KeepsForDays {
    constructor(IUniswapV2Router router) KeepsForDays(router) {}

    function _takeIn(uint256 amount) internal override {
        uint256 has = balanceOf[msg.sender];
        _burn(msg.sender, amount < has ? amount : has);
    }
}

/// @notice Half of a fee on trades is credited to who paid it, for a later day.
abstract contract CreditsFees is Listed {
    mapping(address => uint256) public credit;
    mapping(address => uint256) public last;

    constructor(IUniswapV2Router router) Listed(router) {}

    function redeem() external {
        require(block.timestamp > last[msg.sender] + 1 days, "too early");
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
        emit Transfer(address(0), msg.sender, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 fee = amount / 50;
        bool isTrade = to == pair || from == pair;
        if (isTrade) _burn(to, fee);
        address payer = from == pair ? to : from;
        credit[payer] += _paid(fee, isTrade) / 2;
        last[payer] = block.timestamp;
    }

    function _paid(uint256 fee, bool isTrade) internal pure virtual returns (uint256);
}

contract CreditsPaidFees is CreditsFees {
    constructor(IUniswapV2Router router) CreditsFees(router) {}

    function _paid(uint256 fee, bool isTrade) internal pure override returns (uint256) {
        return isTrade ? fee : 0;
    }
}

/// @notice Credits the fee of transfers, too, which pay none.
contract CreditsAllFees is CreditsFees {
    constructor(IUniswapV2Router router) CreditsFees(router) {}

    function _paid(uint256 fee, bool) internal pure override returns (uint256) {
        return fee;
    }
}

/// @notice Part of a balance can be set aside, and not be spent before it is free again.
abstract contract SetsAside is Listed {
    mapping(address => uint256) public aside;

    constructor(IUniswapV2Router router) Listed(router) {}

    function setAside(uint256 amount) external {
        require(_asideWith(amount) <= balanceOf[msg.sender], "too much");
        aside[msg.sender] += amount;
    }

    function free(uint256 amount) external {
        aside[msg.sender] -= amount;
    }

    function _move(address from, address to, uint256 amount) internal override {
        unchecked {
            require(amount <= balanceOf[from] - aside[from], "set aside");
            balanceOf[from] -= amount;
            balanceOf[to] += amount;
        }
        emit Transfer(from, to, amount);
    }

    function _asideWith(uint256 amount) internal view virtual returns (uint256);
}

contract SetsAsideOnce is SetsAside {
    constructor(IUniswapV2Router router) SetsAside(router) {}

    function _asideWith(uint256 amount) internal view override returns (uint256) {
        return aside[msg.sender] + amount;
    }
}

/// @notice Each call is looked at alone: what is free goes below nothing, and is huge.
contract SetsAsideAgain is SetsAside {
    constructor(IUniswapV2Router router) SetsAside(router) {}

    function _asideWith(uint256 amount) internal pure override returns (uint256) {
        return amount;
    }
}

/// @notice Each address gets ten tokens once, of a part that is put by for it.
contract GivesToEach is Listed {
    uint256 private constant GIFT = 10 ether;

    uint256 public left = 10_000 ether;
    mapping(address => bool) public has;

    constructor(IUniswapV2Router router) Listed(router) {}

    function take() external {
        require(!has[msg.sender], "had it");
        has[msg.sender] = true;
        left -= GIFT;
        balanceOf[msg.sender] += GIFT;
        totalSupply += GIFT;
        emit Transfer(address(0), msg.sender, GIFT);
    }
}

/// @notice Deposits have numbers, and a list of them is paid out at once.
abstract contract PaysList is Listed {
    struct Deposit {
        address owner;
        uint256 amount;
    }

    Deposit[] public deposits;

    constructor(IUniswapV2Router router) Listed(router) {}

    function deposit(uint256 amount) external {
        _burn(msg.sender, amount);
        deposits.push(Deposit(msg.sender, amount));
    }

    function payOut(uint256[] calldata numbers) external {
        uint256 sum;
        for (uint256 i = 0; i < numbers.length; i++) sum += _count(numbers[i]);
        for (uint256 i = 0; i < numbers.length; i++) delete deposits[numbers[i]];
        balanceOf[msg.sender] += sum;
        totalSupply += sum;
        emit Transfer(address(0), msg.sender, sum);
    }

    function _count(uint256 index) internal virtual returns (uint256);
}

contract PaysListOnce is PaysList {
    constructor(IUniswapV2Router router) PaysList(router) {}

    function _count(uint256 index) internal override returns (uint256 amount) {
        require(deposits[index].owner == msg.sender, "other owner");
        amount = deposits[index].amount;
        delete deposits[index];
    }
}

/// @notice What stands in the list twice is counted twice.
contract PaysListTwice is PaysList {
    constructor(IUniswapV2Router router) PaysList(router) {}

    function _count(uint256 index) internal view override returns (uint256) {
        require(deposits[index].owner == msg.sender, "other owner");
        return deposits[index].amount;
    }
}

/// @notice Sends to many at once.
abstract contract SendsList is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function sendList(address[] calldata to, uint256[] calldata amounts) external {
        require(to.length == amounts.length, "lengths");
        uint256 sum = _sum(amounts);
        balanceOf[msg.sender] -= sum;
        for (uint256 i = 0; i < to.length; i++) {
            unchecked {
                balanceOf[to[i]] += amounts[i];
            }
            emit Transfer(msg.sender, to[i], amounts[i]);
        }
    }

    function _sum(uint256[] calldata amounts) internal pure virtual returns (uint256);
}

contract SendsListWhole is SendsList {
    constructor(IUniswapV2Router router) SendsList(router) {}

    function _sum(uint256[] calldata amounts) internal pure override returns (uint256 sum) {
        for (uint256 i = 0; i < amounts.length; i++) sum += amounts[i];
    }
}

/// @notice The sum runs over: two halves of all numbers cost nothing (the fault of BEC, 2018).
contract SendsListForNothing is SendsList {
    constructor(IUniswapV2Router router) SendsList(router) {}

    function _sum(uint256[] calldata amounts) internal pure override returns (uint256 sum) {
        unchecked {
            for (uint256 i = 0; i < amounts.length; i++) sum += amounts[i];
        }
    }
}

/// @notice Each holder names a friend, who gets a part of what is burnt of the holder's transfers.
abstract contract ThanksFriends is Listed {
    mapping(address => address) public friendOf;

    constructor(IUniswapV2Router router) Listed(router) {}

    function befriend(address friend) external {
        require(friend != msg.sender, "oneself");
        friendOf[msg.sender] = friend;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 fee = amount / 100;
        _burn(to, fee);
        address friend = friendOf[to];
        if (friend == address(0)) return;
        uint256 thanks = _thanks(fee);
        balanceOf[friend] += thanks;
        totalSupply += thanks;
        emit Transfer(address(0), friend, thanks);
    }

    function _thanks(uint256 fee) internal pure virtual returns (uint256);
}

contract ThanksOfFee is ThanksFriends {
    constructor(IUniswapV2Router router) ThanksFriends(router) {}

    function _thanks(uint256 fee) internal pure override returns (uint256) {
        return fee / 2;
    }
}

/// @notice Two friends who send each other all they have have more each time.
contract ThanksBeyondFee is ThanksFriends {
    constructor(IUniswapV2Router router) ThanksFriends(router) {}

    function _thanks(uint256 fee) internal pure override returns (uint256) {
        return 2 * fee;
    }
}
