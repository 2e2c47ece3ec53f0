// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ConcentratedPool} from "./ConcentratedPool.sol";
import {DeadlineRouter} from "./ConcentratedRouter.sol";

/// @title A stand-in for PancakeSwap V3's factory
/// @notice Knows the pools, which its deployer creates. Its storage is laid out as the real one's.
contract PancakeV3Factory {
    address public owner;
    PancakeV3PoolDeployer public immutable poolDeployer;
    mapping(uint24 => int24) public feeAmountTickSpacing;
    mapping(address => mapping(address => mapping(uint24 => address))) public getPool;

    event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 spacing, address pool);

    constructor(PancakeV3PoolDeployer poolDeployer_) {
        (owner, poolDeployer) = (msg.sender, poolDeployer_);
        feeAmountTickSpacing[100] = 1;
        feeAmountTickSpacing[500] = 10;
        feeAmountTickSpacing[2500] = 50;
        feeAmountTickSpacing[10000] = 200;
    }

    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        int24 spacing = feeAmountTickSpacing[fee];
        require(spacing != 0 && token0 != address(0) && getPool[token0][token1][fee] == address(0));
        pool = poolDeployer.deploy(address(this), token0, token1, fee, spacing);
        getPool[token0][token1][fee] = pool;
        getPool[token1][token0][fee] = pool;
        emit PoolCreated(token0, token1, fee, spacing, pool);
    }
}

/// @title A stand-in for the contract that creates PancakeSwap V3's pools
/// @notice Tells each pool in its constructor what it is for, so that all have the same creation code.
contract PancakeV3PoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;

    function deploy(
        address factory,
        address token0,
        address token1,
        uint24 fee,
        int24 tickSpacing
    ) external returns (address pool) {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        pool = address(new PancakeV3Pool{salt: keccak256(abi.encode(token0, token1, fee))}());
        delete parameters;
    }
}

/// @title A stand-in for a pool of PancakeSwap V3
/// @notice Has the event and the storage layout of PancakeV3Pool, and keeps its books of fees; see `ConcentratedPool` for what it does not do.
contract PancakeV3Pool is ConcentratedPool {
    struct Slot0 {
        uint160 sqrtPriceX96;
        int24 tick;
        uint16 observationIndex;
        uint16 observationCardinality;
        uint16 observationCardinalityNext;
        uint32 feeProtocol;
        bool unlocked;
    }

    /// @dev Parts of 10,000 of each fee.
    uint256 private constant PROTOCOL_SHARE = 3_200;
    uint256 private constant MILLION = 1_000_000;

    struct ProtocolFees {
        uint128 token0;
        uint128 token1;
    }

    Slot0 public slot0;
    uint256 public feeGrowthGlobal0X128;
    uint256 public feeGrowthGlobal1X128;
    ProtocolFees public protocolFees;
    uint128 public liquidity;
    uint256[3] private ticksAndPositions;
    uint256 private lastObservation;

    address public immutable factory;
    address private immutable first;
    address private immutable second;
    uint24 public immutable fee;
    int24 public immutable tickSpacing;

    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick,
        uint128 protocolFeesToken0,
        uint128 protocolFeesToken1
    );

    constructor() {
        (factory, first, second, fee, tickSpacing) = PancakeV3PoolDeployer(msg.sender).parameters();
        slot0.unlocked = true;
    }

    function token0() public view override returns (address) {
        return first;
    }

    function token1() public view override returns (address) {
        return second;
    }

    function _fee(bool) internal view override returns (uint256) {
        return fee;
    }

    function _keep(uint160 price, uint128 liquidity_) internal override {
        (slot0.sqrtPriceX96, liquidity) = (price, liquidity_);
    }

    function _askToPay(int256 amount0, int256 amount1, bytes calldata data) internal override {
        require(slot0.unlocked, "LOK");
        slot0.unlocked = false;
        PancakeV3SwapRouter(payable(msg.sender)).pancakeV3SwapCallback(amount0, amount1, data);
        slot0.unlocked = true;
    }

    function _tell(
        address recipient,
        int256 amount0,
        int256 amount1,
        uint160 price,
        uint128 liquidity_
    ) internal override {
        (uint128 fees0, uint128 fees1) = (_account(amount0), _account(amount1));
        feeGrowthGlobal0X128 += (uint256(fees0) << 128) / liquidity_;
        feeGrowthGlobal1X128 += (uint256(fees1) << 128) / liquidity_;
        protocolFees.token0 += fees0;
        protocolFees.token1 += fees1;
        if (lastObservation != block.timestamp) lastObservation = block.timestamp;
        emit Swap(msg.sender, recipient, amount0, amount1, price, liquidity_, slot0.tick, fees0, fees1);
    }

    /// @dev The protocol's share of the fee on what came in.
    function _account(int256 amount) private view returns (uint128) {
        return amount <= 0 ? 0 : uint128((uint256(amount) * fee * PROTOCOL_SHARE) / MILLION / 10_000);
    }
}

/// @title A stand-in for PancakeSwap V3's SwapRouter
/// @notice Speaks its interface for exact-input trades, with the deadline among the parameters.
contract PancakeV3SwapRouter is DeadlineRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    PancakeV3Factory public immutable factory;

    constructor(PancakeV3Factory factory_, address wrappedNative) DeadlineRouter(wrappedNative) {
        factory = factory_;
    }

    function exactInputSingle(
        ExactInputSingleParams calldata params
    ) external payable inTime(params.deadline) returns (uint256 amountOut) {
        amountOut = _swap(
            Payment(params.tokenIn, params.tokenOut, params.fee, msg.sender),
            params.amountIn,
            _recipient(params.recipient),
            params.sqrtPriceLimitX96
        );
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function WETH9() external view returns (address) {
        return wrapped;
    }

    function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
        _onSwap(amount0Delta, amount1Delta, data);
    }

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable {
        _unwrap(amountMinimum, recipient);
    }

    function refundETH() external payable {
        _refund();
    }

    function _pool(address tokenA, address tokenB, uint24 fee) internal view override returns (address) {
        return factory.getPool(tokenA, tokenB, fee);
    }
}
