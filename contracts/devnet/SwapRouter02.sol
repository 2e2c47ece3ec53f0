// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ConcentratedRouter, IWrappedNative} from "./ConcentratedRouter.sol";

/// @title A stand-in for Uniswap's SwapRouter02
/// @notice Speaks the documented interface of SwapRouter02 for exact-input trades on Uniswap V3: `exactInputSingle` without a
/// deadline, `exactInput`, the three `multicall`s, and the payment calls. On the devnet it stands where chains have SwapRouter02.
contract SwapRouter02 is ConcentratedRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    struct ExactInputParams {
        bytes path;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }

    /// @dev An `amountIn` of zero means all that the router holds.
    uint256 private constant CONTRACT_BALANCE = 0;
    /// @dev Recipients that stand for an account that the caller need not know.
    address private constant MSG_SENDER = address(1);
    address private constant ADDRESS_THIS = address(2);

    bytes32 private constant POOL_INIT_CODE_HASH = 0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54;

    address public immutable factory;

    constructor(address factory_, address wrappedNative) ConcentratedRouter(wrappedNative) {
        factory = factory_;
    }

    function WETH9() external view returns (address) {
        return wrapped;
    }

    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256 amountOut) {
        (uint256 amountIn, address payer) = _funding(params.tokenIn, params.amountIn);
        amountOut = _swap(
            Payment(params.tokenIn, params.tokenOut, params.fee, payer),
            amountIn,
            _recipient(params.recipient),
            params.sqrtPriceLimitX96
        );
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut) {
        (uint256 amountIn, address payer) = _funding(address(bytes20(params.path)), params.amountIn);
        amountOut = _swapAlong(params.path, amountIn, payer, _recipient(params.recipient));
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
        _onSwap(amount0Delta, amount1Delta, data);
    }

    function multicall(uint256 deadline, bytes[] calldata data) external payable returns (bytes[] memory) {
        require(block.timestamp <= deadline, "Transaction too old");
        return multicall(data);
    }

    function multicall(bytes32 previousBlockhash, bytes[] calldata data) external payable returns (bytes[] memory) {
        require(blockhash(block.number - 1) == previousBlockhash, "Blockhash");
        return multicall(data);
    }

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable {
        _unwrap(amountMinimum, recipient);
    }

    function unwrapWETH9(uint256 amountMinimum) external payable {
        _unwrap(amountMinimum, msg.sender);
    }

    function refundETH() external payable {
        _refund();
    }

    function _funding(address token, uint256 amountIn) private view returns (uint256 amount, address payer) {
        if (amountIn != CONTRACT_BALANCE) return (amountIn, msg.sender);
        return (IWrappedNative(token).balanceOf(address(this)), address(this));
    }

    function _recipient(address named) private view returns (address) {
        if (named == MSG_SENDER) return msg.sender;
        return named == ADDRESS_THIS ? address(this) : named;
    }

    /// @dev The address that EIP-1014 gives the pool.
    function _pool(address tokenA, address tokenB, uint24 fee) internal view override returns (address) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, salt, POOL_INIT_CODE_HASH)))));
    }
}
