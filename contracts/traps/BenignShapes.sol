// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Calls back each account that asked to be told, as ERC-777 does.
contract HookedToken is TrapToken {
    mapping(address => address) internal _hookOf;

    constructor(address router_) TrapToken(router_) {}

    function register(address hook) public {
        _hookOf[msg.sender] = hook;
    }

    function _move(address from, address to, uint256 amount) internal override {
        address sending = _hookOf[from];
        if (sending != address(0)) HookedToken(sending).register(address(0));
        super._move(from, to, amount);
        address receiving = _hookOf[to];
        if (receiving != address(0)) HookedToken(receiving).register(address(0));
    }
}

/// @notice Votes follow tokens, with a checkpoint a block, as UNI and COMP keep them.
contract VotingToken is TrapToken {
    struct Checkpoint {
        uint32 fromBlock;
        uint96 votes;
    }

    mapping(address => address) public delegates;
    mapping(address => mapping(uint32 => Checkpoint)) public checkpoints;
    mapping(address => uint32) public checkpointCount;

    constructor(address router_) TrapToken(router_) {}

    function delegate(address to) public {
        _moveVotes(delegates[msg.sender], to, uint96(_held[msg.sender]));
        delegates[msg.sender] = to;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _moveVotes(delegates[from], delegates[to], uint96(amount));
    }

    function _moveVotes(address from, address to, uint96 amount) internal {
        if (from == to || amount == 0) return;
        if (from != address(0)) _write(from, _latest(from) - amount);
        if (to != address(0)) _write(to, _latest(to) + amount);
    }

    function _latest(address who) internal view returns (uint96) {
        uint32 count = checkpointCount[who];
        return count == 0 ? 0 : checkpoints[who][count - 1].votes;
    }

    function _write(address who, uint96 votes) internal {
        uint32 count = checkpointCount[who];
        if (count > 0 && checkpoints[who][count - 1].fromBlock == block.number) checkpoints[who][count - 1].votes = votes;
        else {
            checkpoints[who][count] = Checkpoint(uint32(block.number), votes);
            checkpointCount[who] = count + 1;
        }
    }
}

/// @notice A launch with every brake on bots at once, all of them mild: gas price, wallet, amount, block, and a falling fee.
contract BrakedLaunch is TrapToken {
    uint256 internal _openedAt;
    mapping(address => uint256) internal _lastBlock;
    mapping(address => bool) internal _isExempt;

    constructor(address router_) TrapToken(router_) {
        _isExempt[msg.sender] = true;
        _isExempt[address(this)] = true;
    }

    function open() public onlyOwner {
        require(_openedAt == 0, "Open already");
        _openedAt = block.timestamp;
    }

    function renounce() public onlyOwner {
        owner = address(0);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (!_isExempt[from] && !_isExempt[to]) {
            require(_openedAt > 0, "Not open yet");
            if (block.timestamp < _openedAt + 1 days) {
                require(tx.gasprice <= block.gaslimit * 10000, "Too dear");
                require(amount <= totalSupply / 100, "Too much");
                require(to == pair || _held[to] + amount <= totalSupply / 50, "Too much for a wallet");
                require(_lastBlock[tx.origin] < block.number, "One trade in a block");
                _lastBlock[tx.origin] = block.number;
            }
        }
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (_isExempt[from] || _isExempt[to]) return 0;
        return block.timestamp < _openedAt + 1 hours ? 15 : 3;
    }
}

/// @notice Holders earn for each second that they hold; no holder is held up.
contract AccruingToken is TrapToken {
    mapping(address => uint256) public earnedUntil;
    mapping(address => uint256) public earned;

    constructor(address router_) TrapToken(router_) {}

    function _accrue(address who) internal {
        if (earnedUntil[who] != 0) earned[who] += (_held[who] * (block.timestamp - earnedUntil[who])) / 365 days / 20;
        earnedUntil[who] = block.timestamp;
    }

    function _move(address from, address to, uint256 amount) internal override {
        _accrue(from);
        _accrue(to);
        super._move(from, to, amount);
    }
}

/// @notice Proves by the hash of a block that dice outside transfers are fair, and pays the miner a tip.
contract DiceToken is TrapToken {
    bytes32 public seed;
    uint256 public collected;

    constructor(address router_) TrapToken(router_) {}

    function roll() public {
        seed = keccak256(abi.encodePacked(blockhash(block.number - 1), block.coinbase, block.difficulty, seed));
    }
}

/// @notice Sells what fees came together, once they are worth it.
contract SwapBack is TrapToken {
    bool internal _swapping;

    constructor(address router_) TrapToken(router_) {
        _allowed[address(this)][router_] = type(uint256).max;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to) && !_swapping && _held[address(this)] >= 20 ether) {
            _swapping = true;
            address[] memory path = new address[](2);
            path[0] = address(this);
            path[1] = SwapBackRouter(router).WETH();
            SwapBackRouter(router).swapExactTokensForETHSupportingFeeOnTransferTokens(_held[address(this)], 0, path, owner, block.timestamp);
            _swapping = false;
        }
        super._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return !_swapping && (_isSell(from, to) || _isBuy(from, to)) ? 5 : 0;
    }
}

interface SwapBackRouter {
    function WETH() external view returns (address);
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[] calldata, address, uint256) external;
}
