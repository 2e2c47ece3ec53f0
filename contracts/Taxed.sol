// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "./shared/Erc20.sol";
import {Owned} from "./shared/Owned.sol";
import {IUniswapV2Factory, IUniswapV2Router} from "./shared/UniswapV2.sol";

/// @title A token that takes a fee from each trade
/// @notice Keeps 5 % of a buy and 8 % of a sell, and turns what it collected into native coin during later sells.
/// @custom:example taxed
/// @custom:tax buy 500, sell 800
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract Taxed is Erc20, Owned {
    uint256 public constant BUY_TAX_BPS = 500;
    uint256 public constant SELL_TAX_BPS = 800;
    uint256 public constant SWAP_THRESHOLD = 250e18;

    IUniswapV2Router public immutable router;
    address public immutable pair;
    address public immutable treasury;

    bool private swapping;

    constructor(IUniswapV2Router router_, address treasury_) Erc20("Taxed Example", "TAXED", 1_000_000) {
        router = router_;
        treasury = treasury_;
        pair = IUniswapV2Factory(router_.factory()).createPair(address(this), router_.WETH());
        _approve(address(this), address(router_), type(uint256).max);
    }

    function _move(address from, address to, uint256 amount) internal override {
        bool exempt = swapping || from == owner || to == owner;
        if (exempt || (from != pair && to != pair)) return super._move(from, to, amount);

        if (to == pair) _swapBack();
        uint256 fee = (amount * (to == pair ? SELL_TAX_BPS : BUY_TAX_BPS)) / 10_000;
        super._move(from, address(this), fee);
        super._move(from, to, amount - fee);
    }

    /// @dev Sells collected fees for native coin before the trade of the user goes on.
    function _swapBack() private {
        uint256 collected = balanceOf[address(this)];
        if (collected < SWAP_THRESHOLD) return;
        swapping = true;
        address[] memory path = new address[](2);
        path[0] = address(this);
        path[1] = router.WETH();
        router.swapExactTokensForETHSupportingFeeOnTransferTokens(collected, 0, path, treasury, block.timestamp);
        swapping = false;
    }
}
