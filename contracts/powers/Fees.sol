// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

/// @notice The owner sets the sell fee as it likes.
contract SettableFee is PowerToken {
    uint256 public fee;

    constructor(address router_) PowerToken(router_) {}

    function setFee(uint256 next) public onlyOwner {
        fee = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}

/// @notice The owner sets a sell fee of at most seven percent.
contract SettableFeeTwin is PowerToken {
    uint256 public fee;

    constructor(address router_) PowerToken(router_) {}

    function setFee(uint256 next) public onlyOwner {
        require(next <= 7, "Too high");
        fee = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}

/// @notice Two fees that may come to thirty-one percent together.
contract SharedFeeBound is PowerToken {
    uint16 public buyFee;
    uint16 public sellFee;

    constructor(address router_) PowerToken(router_) {}

    function setFees(uint16 nextBuy, uint16 nextSell) public onlyOwner {
        require(nextBuy + nextSell <= 31, "Too high");
        buyFee = nextBuy;
        sellFee = nextSell;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? sellFee : from == pair ? buyFee : 0;
    }
}

/// @notice The tax of eighty-eight percent applies to pairs that the owner names later.
contract LatePairTax is PowerToken {
    mapping(address => bool) internal _taxed;

    constructor(address router_) PowerToken(router_) {}

    function register(address market, bool taxed) public onlyOwner {
        _taxed[market] = taxed;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _taxed[to] && from != owner ? 88 : 0;
    }
}

/// @notice The same with four percent.
contract LatePairTaxTwin is PowerToken {
    mapping(address => bool) internal _taxed;

    constructor(address router_) PowerToken(router_) {}

    function register(address market, bool taxed) public onlyOwner {
        _taxed[market] = taxed;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _taxed[to] && from != owner ? 4 : 0;
    }
}

interface FeeSource {
    function feeOf(address from, address to) external view returns (uint256);
}

/// @notice Another contract, which the owner names, says what the fee is.
contract ExternalFee is PowerToken {
    FeeSource public source;

    constructor(address router_) PowerToken(router_) {}

    function setSource(FeeSource next) public onlyOwner {
        source = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && address(source) != address(0) ? source.feeOf(from, to) : 0;
    }
}

/// @notice The same, but what the other contract answers is cut to three percent and a failure is none.
contract ExternalFeeTwin is PowerToken {
    FeeSource public source;

    constructor(address router_) PowerToken(router_) {}

    function setSource(FeeSource next) public onlyOwner {
        source = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to) || address(source) == address(0)) return 0;
        (bool fine, bytes memory answer) =
            address(source).staticcall(abi.encodeWithSelector(source.feeOf.selector, from, to));
        uint256 fee = fine && answer.length == 32 ? abi.decode(answer, (uint256)) : 0;
        return fee > 3 ? 3 : fee;
    }
}

/// @notice A divisor between what is stored and what is held, which the owner sets.
contract RebaseDivisor is PowerToken {
    uint256 public divisor = 1;

    constructor(address router_) PowerToken(router_) {}

    function setDivisor(uint256 next) public onlyOwner {
        require(next > 0, "Not zero");
        divisor = next;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return who == pair ? _held[who] : _held[who] / divisor;
    }
}

/// @notice The fee is a share of a divisor that the owner sets, zero included.
contract NumericException is PowerToken {
    uint256 public parts = 100;

    constructor(address router_) PowerToken(router_) {}

    function setParts(uint256 next) public onlyOwner {
        parts = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 100 / parts : 0;
    }
}

/// @notice The same with at least twenty parts: five percent.
contract NumericExceptionTwin is PowerToken {
    uint256 public parts = 100;

    constructor(address router_) PowerToken(router_) {}

    function setParts(uint256 next) public onlyOwner {
        require(next >= 20, "Too few");
        parts = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? 100 / parts : 0;
    }
}

/// @notice The owner sets a sell fee, of which a mask that is fixed at the creation leaves some bits.
abstract contract MaskedFees is PowerToken {
    uint256 private immutable _mask;
    uint256 private _word;

    constructor(address router_, uint256 mask) PowerToken(router_) {
        _mask = mask;
    }

    function tune(uint96 word) public onlyOwner {
        _word = word;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _word & _mask : 0;
    }
}

/// @notice All of them: the code is that of the harmless one, but for the mask.
contract MaskedFee is MaskedFees {
    constructor(address router_) MaskedFees(router_, 0xff) {}
}

/// @notice Those that make three percent.
contract MaskedFeeTwin is MaskedFees {
    constructor(address router_) MaskedFees(router_, 3) {}
}
