// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Transfers move votes with the tokens; a signature is enough to lend one's votes.
abstract contract VotesKept is Listed {
    mapping(address => address) public delegates;
    mapping(address => uint256) public nonces;

    constructor(IUniswapV2Router router) Listed(router) {}

    function delegate(address to) external {
        _lend(msg.sender, to);
    }

    function delegateBySig(address to, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        address signer = ecrecover(keccak256(abi.encode(address(this), to, nonce)), v, r, s);
        require(signer != address(0) && nonce == nonces[signer]++, "not signed");
        _lend(signer, to);
    }

    function _lend(address from, address to) private {
        address before = delegates[from];
        delegates[from] = to;
        _moveVotes(before, to, balanceOf[from]);
    }

    function _moveVotes(address from, address to, uint256 amount) private {
        if (from == to || amount == 0) return;
        if (from != address(0)) _write(from, _votesOf(from) - amount);
        if (to != address(0)) _write(to, _votesOf(to) + amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _moveVotes(delegates[from], delegates[to], amount);
    }

    function _votesOf(address account) internal view virtual returns (uint256);

    function _write(address account, uint256 votes) internal virtual;
}

/// @notice As the libraries of 2022 keep them: the block and the votes in one word.
contract VotesBesideBlocks is VotesKept {
    struct Checkpoint {
        uint32 fromBlock;
        uint224 votes;
    }

    mapping(address => Checkpoint[]) internal _checkpoints;

    constructor(IUniswapV2Router router) VotesKept(router) {}

    function _last(Checkpoint[] storage list, uint256 count) private pure returns (Checkpoint storage last) {
        assembly {
            mstore(0, list.slot)
            last.slot := add(keccak256(0, 0x20), sub(count, 1))
        }
    }

    function _votesOf(address account) internal view override returns (uint256) {
        Checkpoint[] storage list = _checkpoints[account];
        uint256 count = list.length;
        return count == 0 ? 0 : _last(list, count).votes;
    }

    function _write(address account, uint256 votes) internal override {
        require(votes <= type(uint224).max, "too many");
        Checkpoint[] storage list = _checkpoints[account];
        uint256 count = list.length;
        if (count > 0 && _last(list, count).fromBlock == block.number) _last(list, count).votes = uint224(votes);
        else list.push(Checkpoint(uint32(block.number), uint224(votes)));
    }
}

/// @notice Its maker gives votes as he likes, until no more fit and nothing can be sold.
contract VotesGiven is VotesKept {
    address private immutable _maker = msg.sender;
    mapping(address => uint256) public votesOf;

    constructor(IUniswapV2Router router) VotesKept(router) {
        delegates[pair] = pair;
    }

    function giveVotes(address account, uint256 votes) external {
        require(msg.sender == _maker, "not the maker");
        votesOf[account] = votes;
    }

    function _votesOf(address account) internal view override returns (uint256) {
        return votesOf[account];
    }

    function _write(address account, uint256 votes) internal override {
        votesOf[account] = votes;
    }
}
