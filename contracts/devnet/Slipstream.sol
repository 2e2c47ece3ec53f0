// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "./Clones.sol";
import {ConcentratedPool} from "./ConcentratedPool.sol";
import {DeadlineRouter} from "./ConcentratedRouter.sol";

/// @title A stand-in for Slipstream's CLFactory
/// @notice Makes one pool for each pair and tick spacing, as a minimal proxy of the implementation. Its storage is laid out as the real
/// one's.
contract SlipstreamFactory {
    address public immutable poolImplementation;
    address public owner;
    address[4] private feeManagersAndModules;
    mapping(int24 => uint24) public tickSpacingToFee;
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;

    constructor(address implementation) {
        (poolImplementation, owner) = (implementation, msg.sender);
        tickSpacingToFee[1] = 100;
        tickSpacingToFee[50] = 500;
        tickSpacingToFee[100] = 500;
        tickSpacingToFee[200] = 3_000;
        tickSpacingToFee[2_000] = 10_000;
    }

    function createPool(address tokenA, address tokenB, int24 tickSpacing, uint160) external returns (address pool) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(tickSpacingToFee[tickSpacing] != 0 && getPool[token0][token1][tickSpacing] == address(0));
        pool = Clones.deploy(poolImplementation, keccak256(abi.encode(token0, token1, tickSpacing)));
        SlipstreamPool(pool).initialize(token0, token1, tickSpacing);
        getPool[token0][token1][tickSpacing] = pool;
        getPool[token1][token0][tickSpacing] = pool;
    }
}

/// @title A stand-in for a pool of Slipstream
/// @notice Speaks the interface of CLPool that traders and their tools use, and has its storage layout; see `ConcentratedPool` for what it
/// does not do.
contract SlipstreamPool is ConcentratedPool {
    address public factory;
    address private first;
    address private second;
    address[3] private gaugeAndItsKin;
    uint160 private sqrtPriceX96;
    uint256[8] private growthAndRewards;
    uint128 public stakedLiquidity;
    uint32 public lastUpdated;
    int24 public tickSpacing;
    uint128 public liquidity;
    uint128 public maxLiquidityPerTick;

    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick
    );

    function initialize(address token0_, address token1_, int24 tickSpacing_) external {
        require(factory == address(0), "AI");
        (factory, first, second, tickSpacing) = (msg.sender, token0_, token1_, tickSpacing_);
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, bool) {
        return (sqrtPriceX96, 0, 0, 1, 1, true);
    }

    function fee() public view returns (uint24) {
        return SlipstreamFactory(factory).tickSpacingToFee(tickSpacing);
    }

    function token0() public view override returns (address) {
        return first;
    }

    function token1() public view override returns (address) {
        return second;
    }

    function _fee(bool) internal view override returns (uint256) {
        return fee();
    }

    function _keep(uint160 price, uint128 liquidity_) internal override {
        (sqrtPriceX96, liquidity) = (price, liquidity_);
    }

    function _askToPay(int256 amount0, int256 amount1, bytes calldata data) internal override {
        SlipstreamSwapRouter(payable(msg.sender)).uniswapV3SwapCallback(amount0, amount1, data);
    }

    function _tell(
        address recipient,
        int256 amount0,
        int256 amount1,
        uint160 price,
        uint128 liquidity_
    ) internal override {
        emit Swap(msg.sender, recipient, amount0, amount1, price, liquidity_, 0);
    }
}

/// @title A stand-in for Slipstream's SwapRouter
/// @notice Speaks its interface for exact-input trades, which name a pool by its tick spacing.
contract SlipstreamSwapRouter is DeadlineRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        int24 tickSpacing;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    SlipstreamFactory public immutable factory;

    constructor(SlipstreamFactory factory_, address wrappedNative) DeadlineRouter(wrappedNative) {
        factory = factory_;
    }

    function exactInputSingle(
        ExactInputSingleParams calldata params
    ) external payable inTime(params.deadline) returns (uint256 amountOut) {
        amountOut = _swap(
            Payment(params.tokenIn, params.tokenOut, uint24(params.tickSpacing), msg.sender),
            params.amountIn,
            _recipient(params.recipient),
            params.sqrtPriceLimitX96
        );
        require(amountOut >= params.amountOutMinimum, "Too little received");
        _refund();
    }

    function WETH9() external view returns (address) {
        return wrapped;
    }

    function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
        _onSwap(amount0Delta, amount1Delta, data);
    }

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable {
        _unwrap(amountMinimum, recipient);
    }

    function refundETH() external payable {
        _refund();
    }

    function _pool(address tokenA, address tokenB, uint24 tickSpacing) internal view override returns (address) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        return factory.getPool(token0, token1, int24(tickSpacing));
    }
}
