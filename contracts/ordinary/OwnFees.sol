// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IFeeRouter {
    function WETH() external view returns (address);
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256, uint256, address[] calldata, address, uint256) external;
}

/// @notice A hundredth of each trade is collected and sold by a sale, or by any address, behind one lock for both.
abstract contract SellsFees is Listed {
    uint256 internal constant SOLD_AT = 2_000 ether;
    IFeeRouter private immutable _router;
    address private immutable _maker;
    bool internal _isEntered;

    constructor(IUniswapV2Router router) Listed(router) {
        _router = IFeeRouter(address(router));
        _maker = msg.sender;
        allowance[address(this)][address(router)] = type(uint256).max;
    }

    function sellFees() external {
        require(!_isEntered, "entered");
        _sellFees();
    }

    function _sellFees() internal virtual;

    function _sell(uint256 amount) internal {
        address[] memory path = new address[](2);
        path[0] = address(this);
        path[1] = _router.WETH();
        _router.swapExactTokensForTokensSupportingFeeOnTransferTokens(amount, 0, path, _maker, block.timestamp);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (from == _maker || to == _maker || from == address(this)) {
            super._move(from, to, amount);
            return;
        }
        uint256 fee = to == pair || from == pair ? amount / 100 : 0;
        if (to == pair) {
            require(!_isEntered, "entered");
            if (balanceOf[address(this)] >= SOLD_AT) _sellFees();
        }
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }
}

/// @notice The lock opens on each way.
contract FeesLockOpens is SellsFees {
    constructor(IUniswapV2Router router) SellsFees(router) {}

    function _sellFees() internal override {
        _isEntered = true;
        uint256 amount = balanceOf[address(this)];
        if (amount >= SOLD_AT) _sell(amount > SOLD_AT * 5 ? SOLD_AT * 5 : amount);
        _isEntered = false;
    }
}

/// @notice Where there is little to sell, the lock stays closed.
contract FeesLockStays is SellsFees {
    constructor(IUniswapV2Router router) SellsFees(router) {}

    function _sellFees() internal override {
        _isEntered = true;
        uint256 amount = balanceOf[address(this)];
        if (amount < SOLD_AT) return;
        _sell(amount > SOLD_AT * 5 ? SOLD_AT * 5 : amount);
        _isEntered = false;
    }
}
