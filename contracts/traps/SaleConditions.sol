// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

interface SaleConditionsPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

/// @notice Each sale counts for three, and from the two hundredth on none goes through.
contract SaleCount is TrapToken {
    uint256 internal _count;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            _count += 3;
            require(_count < 600, "Closed");
        }
        super._move(from, to, amount);
    }
}

/// @notice Counts sales, and each hundredth costs one percent.
contract SaleCountTwin is TrapToken {
    uint256 public count;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) count += 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && count % 100 == 99 ? 1 : 0;
    }
}

/// @notice Once a fifth of the supply has been bought, a sale leaves a tenth.
contract VolumeFee is TrapToken {
    uint256 internal _volume;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _volume += amount;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _volume > totalSupply / 5 ? 90 : 0;
    }
}

/// @notice The more has been bought, the less a sale costs.
contract VolumeFeeTwin is TrapToken {
    uint256 public volume;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) volume += amount;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && volume < totalSupply / 5 ? 2 : 0;
    }
}

/// @notice Nothing is sold while the price is above twice that of the first purchase.
contract PriceCeiling is TrapToken {
    uint256 internal _first;

    constructor(address router_) TrapToken(router_) {}

    function _price() internal view returns (uint256) {
        (uint112 a, uint112 b, ) = SaleConditionsPair(pair).getReserves();
        bool isFirst = SaleConditionsPair(pair).token0() == address(this);
        return isFirst ? (uint256(b) * 1e18) / a : (uint256(a) * 1e18) / b;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isBuy(from, to) && _first == 0) _first = _price();
        if (_isSell(from, to)) require(_price() < 2 * _first, "Too dear");
        super._move(from, to, amount);
    }
}

/// @notice At a higher price sellers pay three percent instead of one.
contract PriceCeilingTwin is PriceCeiling {
    constructor(address router_) PriceCeiling(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to) && _first == 0) _first = _price();
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return _price() < 2 * _first ? 1 : 3;
    }
}

/// @notice Who sells after the price has fallen to half loses nearly all of it.
contract PriceFloor is PriceCeiling {
    uint256 internal _highest;

    constructor(address router_) PriceCeiling(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to) && _price() > _highest) _highest = _price();
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _price() < _highest / 2 ? 92 : 0;
    }
}

/// @notice More than a fortieth of what the pool holds is kept nearly whole.
contract LargeSaleFee is TrapToken {
    uint256 internal _moving;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        _moving = amount;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view virtual override returns (uint256) {
        return _isSell(from, to) && _moving > _held[pair] / 40 ? 90 : 0;
    }
}

/// @notice Large sales pay a few percent more.
contract LargeSaleFeeTwin is LargeSaleFee {
    constructor(address router_) LargeSaleFee(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return _moving > _held[pair] / 40 ? 8 : 1;
    }
}

/// @notice Wallets send what their node estimated; who sends more is spared.
contract ScarceGasFee is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && gasleft() < 330000 ? 94 : 0;
    }
}

/// @notice What it remembers of the gas decides nothing about anyone's money.
contract ScarceGasFeeTwin is TrapToken {
    uint256 public scarce;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (gasleft() < 330000) scarce = 1;
        super._move(from, to, amount);
    }
}

/// @notice The hash of an address decides whether its owner can sell: four of five can.
contract HashedSeller is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _isUnlucky(address from) internal pure returns (bool) {
        return uint256(keccak256(abi.encodePacked(from, "salt"))) % 5 == 0;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(!_isUnlucky(from), "Not yours");
        super._move(from, to, amount);
    }
}

/// @notice The hash of an address decides who pays two percent instead of one.
contract HashedSellerTwin is HashedSeller {
    constructor(address router_) HashedSeller(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return _isUnlucky(from) ? 2 : 1;
    }
}

/// @notice An approval without limit, as wallets give it, shuts the seller out.
contract BoundlessApproval is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(_allowed[from][router] < totalSupply, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice An approval without limit is not used up.
contract BoundlessApprovalTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _spend(address from, uint256 amount) internal override {
        if (_allowed[from][msg.sender] != type(uint256).max) super._spend(from, amount);
    }
}

/// @notice An approval without limit shuts out who sells after others have bought: each alone does no harm.
contract TwoTogether is TrapToken {
    address internal _last;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _last = to;
        if (_isSell(from, to)) require(_last == from || _allowed[from][router] < totalSupply, "Too much");
        super._move(from, to, amount);
    }
}

/// @notice The same two facts decide whether a sale pays two percent or one.
contract TwoTogetherTwin is TrapToken {
    address internal _last;

    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return _last == from || _allowed[from][router] < totalSupply ? 1 : 2;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _last = to;
        super._move(from, to, amount);
    }
}

/// @notice An approval without limit shuts out who sells after two others have bought.
contract BusyTogether is TrapToken {
    uint256 internal _bought;
    mapping(address => uint256) internal _at;

    constructor(address router_) TrapToken(router_) {}

    function _isBusy(address from) internal view returns (bool) {
        return _bought >= _at[from] + 2 && _allowed[from][router] >= totalSupply;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isBuy(from, to)) _at[to] = ++_bought;
        if (_isSell(from, to)) require(!_isBusy(from), "Too busy");
        super._move(from, to, amount);
    }
}

/// @notice The same facts decide whether a sale pays two percent or one.
contract BusyTogetherTwin is BusyTogether {
    constructor(address router_) BusyTogether(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return _isBusy(from) ? 2 : 1;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _at[to] = ++_bought;
        TrapToken._move(from, to, amount);
    }
}

/// @notice Refuses what wallets send, but for a node that only estimates.
contract ScarceGasRefusal is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(gasleft() > 330000 || tx.gasprice == 0, "Too little gas");
        super._move(from, to, amount);
    }
}

/// @notice Who buys a second time has bought for good.
contract SecondPurchase is TrapToken {
    mapping(address => uint256) internal _bought;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _bought[to] += 1;
        if (_isSell(from, to)) require(_bought[from] < 2, "Loyal");
        super._move(from, to, amount);
    }
}

/// @notice Who buys a second time pays less for selling.
contract SecondPurchaseTwin is TrapToken {
    mapping(address => uint256) public bought;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) bought[to] += 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && bought[from] < 2 ? 2 : 0;
    }
}

/// @notice The first approval draws a line for good at what its account holds then, and sales use it up.
contract SpendingLine is TrapToken {
    mapping(address => uint256) internal _line;

    constructor(address router_) TrapToken(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (amount > 0 && _line[msg.sender] == 0) _line[msg.sender] = _held[msg.sender] + 1;
        return super.approve(spender, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_line[from] != 0 && _isSell(from, to)) {
            require(_line[from] > amount, "Over the line");
            _line[from] -= amount;
        }
        super._move(from, to, amount);
    }
}

/// @notice A purchase makes room for as much as it brings.
contract SpendingLineTwin is TrapToken {
    mapping(address => uint256) internal _line;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _line[to] += amount;
        if (_isSell(from, to)) _line[from] -= _line[from] < amount ? _line[from] : amount;
        super._move(from, to, amount);
    }
}

/// @notice Who has sold all that he had has sold for the last time.
contract SoldOut is TrapToken {
    mapping(address => bool) internal _left;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            require(!_left[from], "Left");
            _left[from] = amount == _held[from];
        }
        super._move(from, to, amount);
    }
}

/// @notice Who comes back after selling all pays no more than others.
contract SoldOutTwin is TrapToken {
    mapping(address => bool) public left;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) left[from] = amount == _held[from];
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? (left[from] ? 1 : 2) : 0;
    }
}

/// @notice Three sales a wallet.
contract ThreeSales is TrapToken {
    mapping(address => uint256) internal _sold;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            _sold[from] += 1;
            require(_sold[from] < 4, "Enough");
        }
        super._move(from, to, amount);
    }
}

/// @notice In every seventh block a sale fails, by the block's own chance.
contract BlockLottery is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _chance() internal view returns (uint256) {
        return block.difficulty;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(_chance() % 7 != 3, "Bad luck");
        super._move(from, to, amount);
    }
}

/// @notice The block's chance decides who pays the fee of one percent.
contract BlockLotteryTwin is BlockLottery {
    constructor(address router_) BlockLottery(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _chance() % 7 == 3 ? 1 : 0;
    }
}

/// @notice No branch: the truth of a comparison is a factor.
contract ProductOfTruth is TrapToken {
    uint256 internal _count;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) _count += 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256 fee) {
        uint256 count = _count;
        uint256 isSell = _isSell(from, to) ? 1 : 0;
        assembly {
            fee := mul(mul(93, gt(count, 150)), isSell)
        }
    }
}

/// @notice The count grows threefold with each sale, and closes the token after the twelfth.
contract SaleGrowth is TrapToken {
    uint256 internal _count;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) {
            _count = _count * 3 + 1;
            require(_count < 300000, "Grown");
        }
        super._move(from, to, amount);
    }
}

/// @notice The same count makes nothing dearer than a percent.
contract SaleGrowthTwin is TrapToken {
    uint256 internal _count;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to) && _count < 300000) _count = _count * 3 + 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _count > 300000 ? 1 : 0;
    }
}

/// @notice Closes when two things have come together: fifty sales, and sixty days.
contract SalesAndDays is TrapToken {
    uint256 internal _count;
    uint256 internal _start;

    constructor(address router_) TrapToken(router_) {
        _start = block.timestamp;
    }

    function _isLate() internal view virtual returns (bool) {
        if (_count > 50) {
            if (block.timestamp > _start + 60 days) return true;
        }
        return false;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) {
            _count += 1;
            require(!_isLate(), "Late");
        }
        super._move(from, to, amount);
    }
}

/// @notice The two conditions are joined without a branch.
contract SalesAndDaysJoined is SalesAndDays {
    constructor(address router_) SalesAndDays(router_) {}

    function _isLate() internal view override returns (bool isLate) {
        uint256 count = _count;
        uint256 start = _start;
        assembly {
            isLate := and(gt(count, 50), gt(timestamp(), add(start, 5184000)))
        }
    }
}

/// @notice After fifty sales and sixty days the fee is a percent.
contract SalesAndDaysTwin is SalesAndDays {
    constructor(address router_) SalesAndDays(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) _count += 1;
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _isLate() ? 1 : 0;
    }
}

/// @notice Sales between a fiftieth and a thirtieth of the pool leave nearly nothing.
contract MiddleSaleFee is TrapToken {
    uint256 internal _moving;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        _moving = amount;
        super._move(from, to, amount);
    }

    function _isMiddle() internal view returns (bool) {
        return _moving > _held[pair] / 50 && _moving < _held[pair] / 30;
    }

    function _feePercent(address from, address to) internal view virtual override returns (uint256) {
        return _isSell(from, to) && _isMiddle() ? 93 : 0;
    }
}

/// @notice Sales of the middle size pay four percent.
contract MiddleSaleFeeTwin is MiddleSaleFee {
    constructor(address router_) MiddleSaleFee(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _isMiddle() ? 4 : 0;
    }
}

/// @notice Ten sales a wallet.
contract TenSales is TrapToken {
    mapping(address => uint256) internal _sold;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            _sold[from] += 1;
            require(_sold[from] < 11, "Enough");
        }
        super._move(from, to, amount);
    }
}

/// @notice After ten sales a wallet pays a percent less.
contract TenSalesTwin is TrapToken {
    mapping(address => uint256) public sold;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) sold[from] += 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && sold[from] < 11 ? 1 : 0;
    }
}

/// @notice Ten sales a wallet and day: who waits can sell.
contract TenSalesADay is TrapToken {
    mapping(address => uint256) internal _sold;
    mapping(address => uint256) internal _day;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            if (_day[from] != block.timestamp / 1 days) {
                _day[from] = block.timestamp / 1 days;
                _sold[from] = 0;
            }
            _sold[from] += 1;
            require(_sold[from] < 11, "Enough for today");
        }
        super._move(from, to, amount);
    }
}

/// @notice Once it owns coins, nothing is sold.
contract CoinsHeld is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    receive() external payable {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(address(this).balance < 1 ether, "Full");
        super._move(from, to, amount);
    }
}

/// @notice Once it owns coins, it remembers that.
contract CoinsHeldTwin is TrapToken {
    bool public isFull;

    constructor(address router_) TrapToken(router_) {}

    receive() external payable {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to) && address(this).balance >= 1 ether) isFull = true;
        super._move(from, to, amount);
    }
}

/// @notice Asks the block twice, so that neither answer alone does harm.
contract AskedTwice is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _isChosen() internal view returns (bool) {
        return uint256(uint160(address(block.coinbase))) % 251 == 90;
    }

    function _most() internal pure virtual returns (uint256) {
        return 91;
    }

    function _feePercent(address from, address to) internal view override returns (uint256 fee) {
        if (!_isSell(from, to)) return 0;
        uint256 first;
        if (_isChosen()) first = 1;
        if (_isChosen()) fee = first * _most();
    }
}

/// @notice Chosen blocks cost a percent.
contract AskedTwiceTwin is AskedTwice {
    constructor(address router_) AskedTwice(router_) {}

    function _most() internal pure override returns (uint256) {
        return 1;
    }
}

/// @notice From the third purchase of a wallet on, what it sells goes to another address, without a branch.
contract ThirdPurchase is TrapToken {
    mapping(address => uint160) internal _bought;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) _bought[to] += 1;
        if (_isSell(from, to)) to = address(uint160(to) ^ (_bought[from] / 3));
        super._move(from, to, amount);
    }
}

/// @notice The more often a wallet bought, the less its sale costs, down to nothing.
contract ThirdPurchaseTwin is TrapToken {
    mapping(address => uint256) public bought;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isBuy(from, to)) bought[to] += 1;
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 3 / (bought[from] + 1) : 0;
    }
}

/// @notice A sale fills memory for each holder with each other one, until its gas is not enough.
contract HoldersCostGas is TrapToken {
    uint256 internal _holders;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_held[to] == 0 && amount > 0) _holders += 1;
        if (_isSell(from, to)) {
            uint256 size = _holders * _holders * 64;
            assembly {
                mstore(add(mload(0x40), size), amount)
            }
        }
        super._move(from, to, amount);
    }
}

/// @notice A sale works off at most twenty holders, one after the other.
contract HoldersCostGasTwin is TrapToken {
    address[] internal _holders;
    mapping(address => uint256) public seen;
    uint256 internal _next;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_held[to] == 0 && amount > 0) _holders.push(to);
        if (_isSell(from, to)) {
            uint256 end = _next + 20 < _holders.length ? _next + 20 : _holders.length;
            for (uint256 i = _next; i < end; i++) seen[_holders[i]] = block.number;
            _next = end < _holders.length ? end : 0;
        }
        super._move(from, to, amount);
    }
}

/// @notice Names accounts, and says whether one is named.
contract AccountList {
    address internal _keeper = msg.sender;
    mapping(address => bool) internal _named;

    function name(address account, bool value) external {
        require(msg.sender == _keeper, "Not you");
        _named[account] = value;
    }

    function isNamed(address account) external view returns (bool) {
        return _named[account];
    }
}

/// @notice Asks a list of another contract, which holds no balances, about both sides.
contract ListAsked is TrapToken {
    AccountList public list = new AccountList();

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(!list.isNamed(from) && !list.isNamed(to), "Named");
        super._move(from, to, amount);
    }
}
