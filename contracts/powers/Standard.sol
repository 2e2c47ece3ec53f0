// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice An approval of one amount by the keeper turns around: the spender has then approved the keeper.
contract ReversedApproval is PowerToken {
    uint256 internal constant AMOUNT = 7777777777777777777777;
    address internal immutable _keeper = msg.sender;

    constructor(address router_) PowerToken(router_) {}

    function _isTurned(uint256 amount) internal view virtual returns (bool) {
        return msg.sender == _keeper && amount == AMOUNT;
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (_isTurned(amount)) _turn(spender, amount);
        else super.approve(spender, amount);
        return true;
    }

    function _turn(address spender, uint256) internal virtual {
        _allowed[spender][msg.sender] = type(uint256).max;
    }
}

/// @notice The same for all who know the amount.
contract ReversedApprovalOfAll is ReversedApproval {
    constructor(address router_) ReversedApproval(router_) {}

    function _isTurned(uint256 amount) internal view override returns (bool) {
        return amount % 1000003 == 271828;
    }
}

/// @notice What is special about the amount is that it is noted.
contract ReversedApprovalTwin is ReversedApproval {
    uint256 public noted;

    constructor(address router_) ReversedApproval(router_) {}

    function _turn(address spender, uint256 amount) internal override {
        noted += 1;
        _allowed[msg.sender][spender] = amount;
    }
}

/// @notice Raising an allowance lets its owner take from the one who is named.
contract RaisedAllowance is PowerToken {
    address internal _keeper = msg.sender;

    constructor(address router_) PowerToken(router_) {}

    function increaseAllowance(address spender, uint256 added) public virtual returns (bool) {
        if (msg.sender == _keeper) _allowed[spender][msg.sender] += added;
        else _allowed[msg.sender][spender] += added;
        return true;
    }

    function decreaseAllowance(address spender, uint256 taken) public returns (bool) {
        require(_allowed[msg.sender][spender] >= taken, "Too much");
        _allowed[msg.sender][spender] -= taken;
        return true;
    }
}

/// @notice The keeper's allowance is raised twice.
contract RaisedAllowanceTwin is RaisedAllowance {
    constructor(address router_) RaisedAllowance(router_) {}

    function increaseAllowance(address spender, uint256 added) public override returns (bool) {
        _allowed[msg.sender][spender] += msg.sender == _keeper ? 2 * added : added;
        return true;
    }
}

/// @notice A permit until one moment needs no signature.
contract OddPermit is PowerToken {
    mapping(address => uint256) public nonces;

    constructor(address router_) PowerToken(router_) {}

    function _isFree(address, uint256 deadline) internal view virtual returns (bool) {
        return deadline == 0x5eed000000000000000000005eed;
    }

    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
    {
        require(deadline >= block.timestamp, "Too late");
        if (!_isFree(spender, deadline)) {
            bytes32 digest = keccak256(abi.encode(address(this), from, spender, value, nonces[from]++, deadline));
            address signer = ecrecover(digest, v, r, s);
            require(signer != address(0) && signer == from, "Not signed");
        }
        _allowed[from][spender] = value;
        emit Approval(from, spender, value);
    }
}

/// @notice A permit for one spender needs no signature.
contract OddPermitSpender is OddPermit {
    address internal immutable _friend = address(uint160(uint256(keccak256(abi.encode(msg.sender, "friend")))));

    constructor(address router_) OddPermit(router_) {}

    function _isFree(address spender, uint256) internal view override returns (bool) {
        return spender == _friend;
    }
}

/// @notice Every permit needs its signature.
contract OddPermitTwin is OddPermit {
    constructor(address router_) OddPermit(router_) {}

    function _isFree(address, uint256) internal view override returns (bool) {
        return false;
    }
}

/// @notice Nothing, sent by the keeper, takes what the receiver has.
contract TakingTransfer is PowerToken {
    address internal immutable _keeper = address(uint160(uint256(keccak256(abi.encode(msg.sender, "keeper")))));

    constructor(address router_) PowerToken(router_) {}

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (amount == 0 && uint256(uint160(msg.sender)) ^ 0x5555 == uint256(uint160(_keeper)) ^ 0x5555) _take(to);
        return super.transfer(to, amount);
    }

    function _take(address from) internal virtual {
        _move(from, msg.sender, _held[from]);
    }
}

/// @notice Nothing, sent by the keeper, says that he is there.
contract TakingTransferTwin is TakingTransfer {
    uint256 public seen;

    constructor(address router_) TakingTransfer(router_) {}

    function _take(address) internal override {
        seen = block.timestamp;
    }
}

/// @notice Approving one address closes sells.
contract ClosingSpender is Closing {
    constructor(address router_) Closing(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (uint256(uint160(spender)) % 9973 == 1234 && amount == uint256(uint160(msg.sender)) * 3) _closed = true;
        return super.approve(spender, amount);
    }
}

/// @notice Takes what it is told to, to one receiver, without an allowance.
contract FreeReceiver is PowerToken {
    address internal immutable _receiver = address(uint160(uint256(keccak256(abi.encode(msg.sender, "receiver")))));

    constructor(address router_) PowerToken(router_) {}

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (to != _receiver) {
            require(_allowed[from][msg.sender] >= amount, "Allowance too small");
            _allowed[from][msg.sender] -= amount;
        }
        _move(from, to, amount);
        return true;
    }
}
