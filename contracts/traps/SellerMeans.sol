// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken, TrapRouter} from "./TrapToken.sol";

interface MeansToken {
    function balanceOf(address who) external view returns (uint256);
    function allowance(address from, address spender) external view returns (uint256);
}

interface MeansFactory {
    function allPairsLength() external view returns (uint256);
}

/// @notice Who let Permit2 spend the token, as wallets do before they sell elsewhere, loses nearly all of it.
contract OtherApproval is TrapToken {
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    constructor(address router_) TrapToken(router_) {}

    function _feePercent(address from, address to) internal view virtual override returns (uint256) {
        return _isSell(from, to) && _allowed[from][PERMIT2] > 0 ? 95 : 0;
    }
}

/// @notice Who let Permit2 spend the token pays two percent.
contract OtherApprovalTwin is OtherApproval {
    constructor(address router_) OtherApproval(router_) {}

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _allowed[from][PERMIT2] > 0 ? 2 : 0;
    }
}

/// @notice Who let some other exchange, which its maker stored, spend without limit cannot sell.
contract StoredSpender is TrapToken {
    address internal _rival = 0x1111111254EEB25477B68fb85Ed929f73A960582;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(_allowed[from][_rival] < totalSupply, "Rival");
        super._move(from, to, amount);
    }
}

/// @notice Who has wrapped coins, as traders do, cannot sell.
contract WrappedCoinsHeld is TrapToken {
    address internal _wrapped;

    constructor(address router_) TrapToken(router_) {
        _wrapped = TrapRouter(router_).WETH();
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(MeansToken(_wrapped).balanceOf(from) == 0, "Rich");
        super._move(from, to, amount);
    }
}

/// @notice Who has wrapped coins pays nothing, all others a percent.
contract WrappedCoinsHeldTwin is WrappedCoinsHeld {
    constructor(address router_) WrappedCoinsHeld(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && MeansToken(_wrapped).balanceOf(from) == 0 ? 1 : 0;
    }
}

/// @notice Who once let the router spend wrapped coins loses nearly all of a sale.
contract WrappedCoinsLent is TrapToken {
    address internal _wrapped;

    constructor(address router_) TrapToken(router_) {
        _wrapped = TrapRouter(router_).WETH();
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && MeansToken(_wrapped).allowance(from, router) > 0 ? 93 : 0;
    }
}

/// @notice Only wallets with some coins left can sell.
contract PoorSeller is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(from.balance > 0.01 ether, "Poor");
        super._move(from, to, amount);
    }
}

/// @notice Wallets with few coins left pay a percent less.
contract PoorSellerTwin is PoorSeller {
    constructor(address router_) PoorSeller(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && from.balance > 0.01 ether ? 2 : 1;
    }
}

/// @notice Other tokens that get a pair are its clock, which anyone moves: at some number it closes.
contract ForeignCounter is TrapToken {
    address internal _list;
    uint256 internal _last;

    constructor(address router_) TrapToken(router_) {
        _list = TrapRouter(router_).factory();
        _last = MeansFactory(_list).allPairsLength() + 5000;
    }

    function _isLate() internal view returns (bool) {
        return MeansFactory(_list).allPairsLength() > _last;
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(!_isLate(), "Late");
        super._move(from, to, amount);
    }
}

/// @notice By the same clock a fee of two percent ends.
contract ForeignCounterTwin is ForeignCounter {
    constructor(address router_) ForeignCounter(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && !_isLate() ? 2 : 0;
    }
}

/// @notice Rings for each caller that names a guest, and counts in steps of seven.
contract Bell {
    uint256 internal _state = 4;
    mapping(address => uint256) public visits;

    function ring(address guest, uint256 times) external {
        require(guest != address(0) && times > 3, "Not like this");
        visits[guest] += times;
        _state += 7;
    }

    function heard() external view returns (uint256) {
        return _state;
    }
}

/// @notice Its bell may be rung by anyone who knows how: then it takes nearly all of a sale.
contract RungBell is TrapToken {
    Bell internal _bell;

    constructor(address router_) TrapToken(router_) {
        _bell = new Bell();
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) && _bell.heard() > 3000 ? 96 : 0;
    }
}

/// @notice An address without code, known before it has any, is asked about each sale.
contract LaterJudge is TrapToken {
    address internal constant JUDGE = 0x7BC4A1f02D5B1f0A3f7D4e3Dd5A8BE0F6C9a1D2e;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) {
            (bool ok, bytes memory answer) = JUDGE.staticcall(abi.encodeWithSignature("refuses(address)", from));
            if (ok && answer.length >= 32) require(!abi.decode(answer, (bool)), "Refused");
        }
        super._move(from, to, amount);
    }
}

/// @notice The same, asked only once it has code; what it says beside yes or no is the fee.
contract LaterJudgeOfFees is LaterJudge {
    constructor(address router_) LaterJudge(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        TrapToken._move(from, to, amount);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        uint256 size;
        address judge = JUDGE;
        assembly {
            size := extcodesize(judge)
        }
        if (size == 0 || !_isSell(from, to)) return 0;
        (bool ok, bytes memory answer) = judge.staticcall(abi.encodeWithSignature("fee(address)", from));
        return ok && answer.length >= 32 && abi.decode(answer, (uint256)) > 0 ? 97 : 0;
    }
}

/// @notice An address without code is told of each sale, with little gas, whatever becomes of it.
contract LaterJudgeTwin is LaterJudge {
    constructor(address router_) LaterJudge(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) {
            (bool ok, ) = JUDGE.call{gas: 20000}(abi.encodeWithSignature("sold(address,uint256)", from, amount));
            ok;
        }
        TrapToken._move(from, to, amount);
    }
}
