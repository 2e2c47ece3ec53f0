// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

/// @notice A fee that its owner sets, for each fixture with a bound of its own.
abstract contract OwnFee is PowerToken {
    uint256 public fee;

    constructor(address router_) PowerToken(router_) {}

    function setFee(uint256 percent) external onlyOwner {
        require(_isFair(percent), "Too much");
        fee = percent;
    }

    function _isFair(uint256 percent) internal view virtual returns (bool);

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}

/// @notice The bound looks at the last byte of the number, the fee is all of it.
contract TruncatedBound is OwnFee {
    constructor(address router_) OwnFee(router_) {}

    function _isFair(uint256 percent) internal view override returns (bool) {
        return uint8(percent) <= 10;
    }
}

/// @notice The bound looks at the last two bytes, which must not be zero.
contract MaskedBound is OwnFee {
    constructor(address router_) OwnFee(router_) {}

    function _isFair(uint256 percent) internal view override returns (bool) {
        return percent & 0xffff > 0 && percent & 0xffff <= 10;
    }
}

/// @notice The bound looks at a remainder.
contract RemainderBound is OwnFee {
    constructor(address router_) OwnFee(router_) {}

    function _isFair(uint256 percent) internal view override returns (bool) {
        return percent % 1009 > 2 && percent % 1009 <= 7;
    }
}

/// @notice The bound looks at the whole number, the fee is its last byte.
contract TruncatedBoundTwin is OwnFee {
    constructor(address router_) OwnFee(router_) {}

    function _isFair(uint256 percent) internal view override returns (bool) {
        return uint8(percent) <= 5 && percent <= 9 && percent % 100 == percent;
    }
}

/// @notice Both balances are read before either is written: who sends to himself has twice as much.
contract CachedBalances is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        (uint256 his, uint256 theirs) = (_held[from], _held[to]);
        require(his >= amount, "Balance too small");
        _held[from] = his - amount;
        _held[to] = theirs + amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice The owner alone gains by it.
contract CachedBalancesOfOwner is CachedBalances {
    constructor(address router_) CachedBalances(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == owner) super._move(from, to, amount);
        else PowerToken._move(from, to, amount);
    }
}

/// @notice Sending nothing to oneself brings a hundredth of the supply.
contract NothingBrings is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == to && amount == 0) _held[to] += totalSupply / 2;
        super._move(from, to, amount);
    }
}

/// @notice Both balances are read first, and who sends to himself has what he had.
contract CachedBalancesTwin is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        (uint256 his, uint256 theirs) = (_held[from], _held[to]);
        require(his >= amount, "Balance too small");
        if (from != to) {
            _held[from] = his - amount;
            _held[to] = theirs + amount;
        }
        emit Transfer(from, to, amount);
    }
}

/// @notice Allowances by signature (EIP-2612).
abstract contract Permitted is PowerToken {
    mapping(address => uint256) public nonces;
    bytes32 internal constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    constructor(address router_) PowerToken(router_) {}

    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(deadline >= block.timestamp, "Expired");
        bytes32 said = keccak256(abi.encode(PERMIT_TYPEHASH, from, spender, value, nonces[from]++, deadline));
        bytes32 domain = keccak256(abi.encode("Harbour", address(this)));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", domain, said)), v, r, s);
        require(signer != address(0) && _mayAllow(from, spender, signer), "Not signed");
        _allowed[from][spender] = value;
        emit Approval(from, spender, value);
    }

    function _mayAllow(address from, address spender, address signer) internal view virtual returns (bool);
}

/// @notice One key signs for all.
contract SecondSigner is Permitted {
    constructor(address router_) Permitted(router_) {}

    function _mayAllow(address from, address, address signer) internal view override returns (bool) {
        return signer == from || signer == 0x5a11f0c4D3b2E1908F7A6b5C4D3e2f1A0B9c8d7E;
    }
}

/// @notice The key that signs for all is stored, and known by its hash.
contract HashedSigner is Permitted {
    bytes32 internal _key = keccak256(abi.encodePacked(address(0x5a11f0c4D3b2E1908F7A6b5C4D3e2f1A0B9c8d7E)));

    constructor(address router_) Permitted(router_) {}

    function _mayAllow(address from, address, address signer) internal view override returns (bool) {
        if (signer == from) return true;
        return keccak256(abi.encodePacked(signer)) == _key;
    }
}

/// @notice Who is allowed may sign for it himself.
contract SpenderSigns is Permitted {
    constructor(address router_) Permitted(router_) {}

    function _mayAllow(address from, address spender, address signer) internal view override returns (bool) {
        return signer == from || signer == spender;
    }
}

/// @notice The holder's own signature alone counts.
contract PermittedTwin is Permitted {
    constructor(address router_) Permitted(router_) {}

    function _mayAllow(address from, address, address signer) internal view override returns (bool) {
        return signer == from;
    }
}
