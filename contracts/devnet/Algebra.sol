// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ConcentratedPool} from "./ConcentratedPool.sol";
import {DeadlineRouter} from "./ConcentratedRouter.sol";

/// @title A stand-in for Camelot V3's AlgebraFactory
/// @notice Knows the one pool of each pair, which its deployer creates. Its storage is laid out as the real one's.
contract AlgebraFactory {
    AlgebraPoolDeployer public immutable poolDeployer;
    address public owner;
    address public farmingAddress;
    address public vaultAddress;
    bytes32 private baseFeeConfiguration;
    mapping(address => mapping(address => address)) public poolByPair;

    constructor(AlgebraPoolDeployer poolDeployer_) {
        (poolDeployer, owner) = (poolDeployer_, msg.sender);
    }

    function createPool(address tokenA, address tokenB) external returns (address pool) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != address(0) && poolByPair[token0][token1] == address(0));
        pool = poolDeployer.deploy(address(this), token0, token1);
        poolByPair[token0][token1] = pool;
        poolByPair[token1][token0] = pool;
    }
}

/// @title A stand-in for the contract that creates Camelot V3's pools
/// @notice Tells each pool in its constructor what it is for, so that all have the same creation code.
contract AlgebraPoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
    }

    Parameters public parameters;

    function deploy(address factory, address token0, address token1) external returns (address pool) {
        parameters = Parameters(factory, token0, token1);
        pool = address(new AlgebraPool{salt: keccak256(abi.encode(token0, token1))}());
        delete parameters;
    }
}

/// @title A stand-in for a pool of Camelot V3
/// @notice Speaks the interface of Algebra's pools that traders and their tools use, with another fee in each direction; see
/// `ConcentratedPool` for what it does not do.
contract AlgebraPool is ConcentratedPool {
    uint16 private constant FEE_ZERO_TO_ONE = 2_000;
    uint16 private constant FEE_ONE_TO_ZERO = 3_000;

    address public immutable factory;
    address private immutable first;
    address private immutable second;

    uint256 public totalFeeGrowth0Token;
    uint256 public totalFeeGrowth1Token;
    uint160 private price;
    uint128 public liquidity;
    uint128 private volumePerLiquidityInBlock;

    event Swap(
        address indexed sender,
        address indexed recipient,
        int256 amount0,
        int256 amount1,
        uint160 price,
        uint128 liquidity,
        int24 tick
    );

    constructor() {
        (factory, first, second) = AlgebraPoolDeployer(msg.sender).parameters();
    }

    function globalState() external view returns (uint160, int24, uint16, uint16, uint16, uint8, uint8, bool) {
        return (price, 0, FEE_ZERO_TO_ONE, FEE_ONE_TO_ZERO, 0, 0, 0, true);
    }

    function token0() public view override returns (address) {
        return first;
    }

    function token1() public view override returns (address) {
        return second;
    }

    function _fee(bool zeroForOne) internal pure override returns (uint256) {
        return zeroForOne ? FEE_ZERO_TO_ONE : FEE_ONE_TO_ZERO;
    }

    function _keep(uint160 price_, uint128 liquidity_) internal override {
        (price, liquidity) = (price_, liquidity_);
    }

    function _askToPay(int256 amount0, int256 amount1, bytes calldata data) internal override {
        AlgebraSwapRouter(payable(msg.sender)).algebraSwapCallback(amount0, amount1, data);
    }

    function _tell(
        address recipient,
        int256 amount0,
        int256 amount1,
        uint160 price_,
        uint128 liquidity_
    ) internal override {
        emit Swap(msg.sender, recipient, amount0, amount1, price_, liquidity_, 0);
    }
}

/// @title A stand-in for Camelot V3's SwapRouter
/// @notice Speaks Algebra's interface for exact-input trades, in which a pair has one pool and a path no tiers.
contract AlgebraSwapRouter is DeadlineRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 limitSqrtPrice;
    }

    AlgebraFactory public immutable factory;

    constructor(AlgebraFactory factory_, address wrappedNative) DeadlineRouter(wrappedNative) {
        factory = factory_;
    }

    function exactInputSingle(
        ExactInputSingleParams calldata params
    ) external payable inTime(params.deadline) returns (uint256 amountOut) {
        amountOut = _swap(
            Payment(params.tokenIn, params.tokenOut, 0, msg.sender),
            params.amountIn,
            _recipient(params.recipient),
            params.limitSqrtPrice
        );
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function WNativeToken() external view returns (address) {
        return wrapped;
    }

    function algebraSwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
        _onSwap(amount0Delta, amount1Delta, data);
    }

    function unwrapWNativeToken(uint256 amountMinimum, address recipient) external payable {
        _unwrap(amountMinimum, recipient);
    }

    function refundNativeToken() external payable {
        _refund();
    }

    function _tierSize() internal pure override returns (uint256) {
        return 0;
    }

    function _pool(address tokenA, address tokenB, uint24) internal view override returns (address) {
        return factory.poolByPair(tokenA, tokenB);
    }
}
