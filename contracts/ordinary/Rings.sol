// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";

/// @notice What an account had on average is told from a ring of notes, whose place lies beside its balance.
abstract contract AveragedBalances is ComputedBalances {
    string public constant name = "Averaged";
    string public constant symbol = "AVG";
    uint256 public constant totalSupply = 1_000_000 ether;
    uint16 internal constant SIZE = 8;

    struct Note {
        uint224 sum;
        uint32 time;
    }

    struct Account {
        uint128 held;
        uint16 next;
        uint16 count;
        Note[8] notes;
    }

    mapping(address => Account) internal _accounts;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _accounts[msg.sender].held = uint128(totalSupply);
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address who) public view override returns (uint256) {
        return _accounts[who].held;
    }

    function averageSinceFirst(address who) external view returns (uint256) {
        Account storage account = _accounts[who];
        Note memory first = account.notes[0];
        Note memory last = account.notes[(account.next + SIZE - 1) % SIZE];
        return last.time <= first.time ? 0 : (last.sum - first.sum) / (last.time - first.time);
    }

    function _move(address from, address to, uint256 amount) internal override {
        Account storage giver = _accounts[from];
        require(giver.held >= amount, "too little");
        _note(giver);
        giver.held -= uint128(amount);
        Account storage taker = _accounts[to];
        _note(taker);
        taker.held += uint128(amount);
        emit Transfer(from, to, amount);
    }

    function _note(Account storage account) private {
        uint32 time = uint32(block.timestamp);
        _check(account);
        if (account.count == 0) {
            account.notes[0] = Note(0, time);
            account.count = 1;
            account.next = 1;
            return;
        }
        Note memory last = account.notes[(account.next + SIZE - 1) % SIZE];
        if (last.time == time) return;
        account.notes[account.next % SIZE] = Note(last.sum + uint224(account.held) * (time - last.time), time);
        account.next = (account.next + 1) % SIZE;
        if (account.count < 1_000) account.count += 1;
    }

    function _check(Account storage account) internal view virtual;
}

contract RingOfNotes is AveragedBalances {
    constructor(IUniswapV2Router router) AveragedBalances(router) {}

    function _check(Account storage) internal view override {}
}

/// @notice Who has been noted nine times moves nothing any more.
contract RingThatFills is AveragedBalances {
    constructor(IUniswapV2Router router) AveragedBalances(router) {}

    function _check(Account storage account) internal view override {
        require(account.count <= SIZE, "full");
    }
}

/// @notice Transfers by signature (the manner of EIP-3009), with a separator that is computed anew on another chain.
abstract contract SentBySignature is ComputedBalances {
    string public constant name = "Signed";
    string public constant symbol = "SGN";
    uint256 public constant totalSupply = 1_000_000 ether;
    uint256 private immutable _chain = block.chainid;
    bytes32 private immutable _separator;
    mapping(address => uint256) private _held;
    mapping(address => mapping(bytes32 => bool)) public isUsed;

    struct Order {
        address from;
        address to;
        uint256 amount;
        uint256 until;
        bytes32 nonce;
    }

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _separator = _compute();
        _held[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return _held[account];
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 amount,
        uint256 until,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        Order memory order = Order(from, to, amount, until, nonce);
        require(block.timestamp <= order.until, "over");
        bytes memory told = abi.encode(keccak256("Order"), order.from, order.to, order.amount, order.until, order.nonce);
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", separator(), keccak256(told))), v, r, s);
        require(signer != address(0) && _isValid(order, signer), "not signed");
        address holder = _holder(order, signer);
        require(!isUsed[holder][order.nonce], "used");
        isUsed[holder][order.nonce] = true;
        _move(order.from, order.to, order.amount);
    }

    function separator() public view returns (bytes32) {
        return block.chainid == _chain ? _separator : _compute();
    }

    function _compute() private view returns (bytes32) {
        return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this)));
    }

    function _isValid(Order memory order, address signer) internal view virtual returns (bool);

    /// @notice Whose nonces are used up.
    function _holder(Order memory order, address) internal pure virtual returns (address) {
        return order.from;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _held[from] -= amount;
        _held[to] += amount;
        emit Transfer(from, to, amount);
    }
}

contract SignedByGiver is SentBySignature {
    constructor(IUniswapV2Router router) SentBySignature(router) {}

    function _isValid(Order memory order, address signer) internal pure override returns (bool) {
        return signer == order.from;
    }
}

contract SignedByTaker is SentBySignature {
    constructor(IUniswapV2Router router) SentBySignature(router) {}

    function _isValid(Order memory order, address signer) internal pure override returns (bool) {
        return signer == order.to;
    }
}

/// @notice The nonces are looked up under the signer, who is the giver by then.
contract NoncesOfSigner is SentBySignature {
    constructor(IUniswapV2Router router) SentBySignature(router) {}

    function _isValid(Order memory order, address signer) internal pure override returns (bool) {
        return signer == order.from;
    }

    function _holder(Order memory, address signer) internal pure override returns (address) {
        return signer;
    }
}

/// @notice The same, where a keeper may sign as well.
contract NoncesOfKeepers is SentBySignature {
    mapping(address => bool) private _isKeeper;

    constructor(IUniswapV2Router router) SentBySignature(router) {
        _isKeeper[msg.sender] = true;
    }

    function _isValid(Order memory order, address signer) internal view override returns (bool) {
        return signer == order.from || _isKeeper[signer];
    }

    function _holder(Order memory, address signer) internal pure override returns (address) {
        return signer;
    }
}
