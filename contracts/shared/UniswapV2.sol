// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice The calls that the examples make to a Uniswap V2 router, as its documentation lists them.
interface IUniswapV2Router {
    function factory() external view returns (address);
    function WETH() external view returns (address);
    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
}

interface IUniswapV2Factory {
    function createPair(address tokenA, address tokenB) external returns (address pair);
}
