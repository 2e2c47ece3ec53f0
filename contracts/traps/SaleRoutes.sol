// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice The exchange's router sells without a fee; by any other way to the pool nearly all is kept.
contract OneRoute is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _otherFee() internal view virtual returns (uint256) {
        return 98;
    }

    function _feePercent(address from, address to) internal view virtual override returns (uint256) {
        return _isSell(from, to) && msg.sender != router ? _otherFee() : 0;
    }
}

/// @notice The router is spared a fee of two percent.
contract OneRouteTwin is OneRoute {
    constructor(address router_) OneRoute(router_) {}

    function _otherFee() internal view override returns (uint256) {
        return 2;
    }
}

/// @notice Every sale pays three percent, by whichever way it comes to the pool; other transfers pay nothing.
contract PoolFeeTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 3 : 0;
    }
}

/// @notice Contracts other than the router cannot sell, which takes nothing from those who use it.
contract RefusedRoutes is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(msg.sender == router, "Use the exchange");
        super._move(from, to, amount);
    }
}

/// @notice One aggregator, by its address, is made to lose nearly all.
contract NamedRoute is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && msg.sender == 0x1111111254EEB25477B68fb85Ed929f73A960582 ? 97 : 0;
    }
}

/// @notice Who sends tokens to the pool himself, as arbitrage and some wallets do, loses nearly all.
contract OwnTransferRoute is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && msg.sender == from ? 96 : 0;
    }
}

/// @notice What the seller's account is decides what he pays.
abstract contract SellerCode is TrapToken {
    function _sizeOf(address who) internal view returns (uint256 size) {
        assembly {
            size := extcodesize(who)
        }
    }

    function _hashOf(address who) internal view returns (bytes32 hash) {
        assembly {
            hash := extcodehash(who)
        }
    }
}

/// @notice A wallet that lets code act for it (EIP-7702) loses what it sells.
contract DelegatedSeller is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _sizeOf(from) == 23 ? 99 : 0;
    }
}

/// @notice The same by the first bytes of the code, which no formula is made of.
contract DelegatedSellerByBytes is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        bytes32 first;
        assembly {
            mstore(0, 0)
            extcodecopy(from, 0, 0, 3)
            first := mload(0)
        }
        return _isSell(from, to) && first == bytes32(hex"ef0100") ? 98 : 0;
    }
}

/// @notice Who has any code, told by its hash, loses what it sells.
contract CodedSeller is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        bool plain = _hashOf(from) == keccak256("") || _hashOf(from) == 0;
        return _isSell(from, to) && !plain ? 95 : 0;
    }
}

/// @notice Accounts with code pay two percent.
contract CodedSellerTwin is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _sizeOf(from) > 0 ? 2 : 0;
    }
}

/// @notice A contract's wallet can buy, and loses nearly all of what it sells.
contract ContractSeller is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _sizeOf(from) > 23 ? 94 : 0;
    }
}

/// @notice Wallets that let code act for them are given next to nothing of what they buy.
contract DelegatedBuyer is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isBuy(from, to) && _sizeOf(to) == 23 ? 97 : 0;
    }
}

/// @notice Contracts other than wallets with a delegate can neither buy nor sell.
contract NoContractsTwin is SellerCode {
    constructor(address router_) TrapToken(router_) {}

    function _isPlain(address who) internal view returns (bool) {
        return who == pair || _sizeOf(who) <= 23;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isTrade(from, to)) require(_isPlain(from) && _isPlain(to), "No contracts");
        super._move(from, to, amount);
    }
}

/// @notice The fee grows with each holder beyond a hundred and twenty.
contract HolderFee is TrapToken {
    uint256 internal _holders;

    constructor(address router_) TrapToken(router_) {}

    function _most() internal view virtual returns (uint256) {
        return 98;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to) || _holders <= 120) return 0;
        uint256 fee = (_holders - 120) * 3;
        return fee > _most() ? _most() : fee;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_held[to] == 0 && amount > 0) _holders++;
        super._move(from, to, amount);
    }
}

/// @notice It stops growing at five percent.
contract HolderFeeTwin is HolderFee {
    constructor(address router_) HolderFee(router_) {}

    function _most() internal view override returns (uint256) {
        return 5;
    }
}

/// @notice Gifts between wallets are counted: after some of them nothing can be sold.
contract GiftCount is TrapToken {
    uint256 internal _gifts;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (from != pair && to != pair && _isTrade(from, to)) _gifts++;
        if (_isSell(from, to)) require(_gifts < 400, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice Approvals are counted, and end it as well.
contract ApprovalCount is TrapToken {
    uint256 internal _approvals;

    constructor(address router_) TrapToken(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        _approvals++;
        return super.approve(spender, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _approvals > 700 ? 95 : 0;
    }
}

/// @notice A transfer of a sum that only its maker knows turns sales off, and on again.
contract SecretSum is TrapToken {
    bytes32 internal _key = 0x5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02;
    uint256 internal _mode;

    constructor(address router_) TrapToken(router_) {}

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (keccak256(abi.encodePacked(amount)) == _key) _mode ^= 1;
        return super.transfer(to, amount);
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(_mode == 0, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice The same command opens a fee of two percent.
contract SecretSumTwin is SecretSum {
    constructor(address router_) SecretSum(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _mode != 0 ? 2 : 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }
}

/// @notice A transfer to a receiver whose hash is known sets the fee.
contract SecretReceiver is TrapToken {
    uint256 internal _fee;

    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _fee : 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (keccak256(abi.encodePacked(to)) >> 200 == bytes32(uint256(0x9d1b02ab12cd34))) _fee = 96;
        super._move(from, to, amount);
    }
}

/// @notice Two plain sums, one closes and the other opens.
contract MagicSums is TrapToken {
    bool internal _closed;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (amount == 777777777) _closed = true;
        if (amount == 888888888) _closed = false;
        if (_isSell(from, to)) require(!_closed, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice An approval of a secret sum is the command.
contract SecretApproval is TrapToken {
    bytes32 internal _key = 0x5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02;
    bool internal _closed;

    constructor(address router_) TrapToken(router_) {}

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (keccak256(abi.encodePacked(amount, address(this))) == _key) _closed = true;
        return super.approve(spender, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(!_closed, "Closed");
        super._move(from, to, amount);
    }
}

/// @notice Transfers lock each other out while one runs, and nothing else.
contract LockTwin is TrapToken {
    uint256 internal _status = 1;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        bool large = amount > totalSupply / 2;
        require(_status == 1, "Locked");
        if (large) _status = 2;
        super._move(from, to, amount);
        if (large) _status = 1;
    }
}
