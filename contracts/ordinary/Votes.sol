// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Votes follow the accounts that holders name, each in a list of what they were in each block.
abstract contract VotesByBlock is Listed {
    struct Checkpoint {
        uint32 fromBlock;
        uint96 votes;
    }

    mapping(address => address) public delegates;
    mapping(address => mapping(uint32 => Checkpoint)) public checkpoints;
    mapping(address => uint32) public numCheckpoints;

    constructor(IUniswapV2Router router) Listed(router) {}

    function delegate(address to) external {
        _delegate(msg.sender, to);
    }

    function _delegate(address holder, address to) internal {
        address before = delegates[holder];
        delegates[holder] = to;
        _moveVotes(before, to, uint96(balanceOf[holder]));
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _moveVotes(delegates[from], delegates[to], uint96(amount));
    }

    function _moveVotes(address from, address to, uint96 amount) private {
        if (from == to || amount == 0) return;
        if (from != address(0)) {
            uint32 count = numCheckpoints[from];
            uint96 votes = count > 0 ? checkpoints[from][count - 1].votes : 0;
            _write(from, count, votes - amount);
        }
        if (to != address(0)) {
            uint32 count = numCheckpoints[to];
            uint96 votes = count > 0 ? checkpoints[to][count - 1].votes : 0;
            _write(to, count, votes + amount);
        }
    }

    function _write(address who, uint32 count, uint96 votes) private {
        require(block.number < 2 ** 32, "block number exceeds 32 bits");
        uint32 number = uint32(block.number);
        if (count > 0 && checkpoints[who][count - 1].fromBlock == number) {
            checkpoints[who][count - 1].votes = votes;
        } else {
            checkpoints[who][count] = Checkpoint(number, votes);
            numCheckpoints[who] = count + 1;
        }
    }
}

/// @notice A holder names another for itself alone.
contract VotesOfHolders is VotesByBlock {
    constructor(IUniswapV2Router router) VotesByBlock(router) {}
}

/// @notice The same, and any address names another for a pool: tokens that come there are votes, which do not fit.
contract VotesOfPools is VotesByBlock {
    constructor(IUniswapV2Router router) VotesByBlock(router) {}

    function adopt(address who, uint96 votes) external {
        require(who.code.length > 0 && delegates[who] == address(0), "no pool");
        delegates[who] = msg.sender;
        checkpoints[msg.sender][0] = Checkpoint(uint32(block.number), votes);
        numCheckpoints[msg.sender] = 1;
    }
}

/// @notice One function keeps the lists of accounts and of the supply, and is told which.
contract VotesInLists is Listed {
    struct Checkpoint {
        uint32 fromBlock;
        uint224 votes;
    }

    mapping(address => address) public delegates;
    mapping(address => Checkpoint[]) private _votes;
    Checkpoint[] private _supply;

    constructor(IUniswapV2Router router) Listed(router) {
        _write(_supply, _add, totalSupply);
    }

    function delegate(address to) external {
        address before = delegates[msg.sender];
        delegates[msg.sender] = to;
        _moveVotes(before, to, balanceOf[msg.sender]);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
        _moveVotes(delegates[msg.sender], address(0), amount);
        _write(_supply, _subtract, amount);
    }

    function getVotes(address who) external view returns (uint256) {
        uint256 length = _votes[who].length;
        return length == 0 ? 0 : _votes[who][length - 1].votes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _moveVotes(delegates[from], delegates[to], amount);
    }

    function _moveVotes(address from, address to, uint256 amount) private {
        if (from == to || amount == 0) return;
        if (from != address(0)) _write(_votes[from], _subtract, amount);
        if (to != address(0)) _write(_votes[to], _add, amount);
    }

    function _write(
        Checkpoint[] storage list,
        function(uint256, uint256) pure returns (uint256) change,
        uint256 amount
    ) private {
        uint256 length = list.length;
        uint256 votes = change(length == 0 ? 0 : list[length - 1].votes, amount);
        require(votes < 2 ** 224, "too many votes");
        if (length > 0 && list[length - 1].fromBlock == block.number) list[length - 1].votes = uint224(votes);
        else list.push(Checkpoint(uint32(block.number), uint224(votes)));
    }

    function _add(uint256 a, uint256 b) private pure returns (uint256) {
        return a + b;
    }

    function _subtract(uint256 a, uint256 b) private pure returns (uint256) {
        return a - b;
    }
}

/// @notice Holders vote with what they have for members of a council.
abstract contract Council is Listed {
    mapping(address => uint256) public votesFor;
    mapping(address => mapping(address => bool)) public hasVoted;

    constructor(IUniswapV2Router router) Listed(router) {}

    function vote(address candidate) external {
        require(!hasVoted[msg.sender][candidate], "voted");
        hasVoted[msg.sender][candidate] = true;
        votesFor[candidate] += balanceOf[msg.sender];
    }

    function isMember(address who) public view returns (bool) {
        return votesFor[who] >= totalSupply / 4;
    }
}

/// @notice Its members may not sell.
contract CouncilMayNotSell is Council {
    constructor(IUniswapV2Router router) Council(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(to != pair || !isMember(from), "members are bonded");
        super._move(from, to, amount);
    }
}

/// @notice Its members sell as they like, and are seen to.
contract CouncilMaySell is Council {
    event MemberSold(address indexed who, uint256 amount);

    constructor(IUniswapV2Router router) Council(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && isMember(from)) emit MemberSold(from, amount);
        super._move(from, to, amount);
    }
}
