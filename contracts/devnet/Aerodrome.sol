// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "./Clones.sol";

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface IWrapped is IToken {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title A stand-in for Aerodrome's PoolFactory
/// @notice Makes a volatile and a stable pool for each pair, as minimal proxies of the implementation. Its storage is laid out as the
/// real one's.
contract AerodromeFactory {
    address public immutable implementation;
    bool public isPaused;
    address public pauser;
    uint256 public stableFee;
    uint256 public volatileFee;
    address public feeManager;
    address public voter;
    mapping(address => mapping(address => mapping(bool => address))) public getPool;
    mapping(address => bool) public isPool;

    constructor(address implementation_) {
        implementation = implementation_;
        (stableFee, volatileFee) = (5, 30);
    }

    /// @dev Basis points.
    function getFee(address, bool stable) external view returns (uint256) {
        return stable ? stableFee : volatileFee;
    }

    function createPool(address tokenA, address tokenB, bool stable) external returns (address pool) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != address(0) && getPool[token0][token1][stable] == address(0));
        pool = Clones.deploy(implementation, keccak256(abi.encodePacked(token0, token1, stable)));
        AerodromePool(pool).initialize(token0, token1, stable);
        getPool[token0][token1][stable] = pool;
        getPool[token1][token0][stable] = pool;
        isPool[pool] = true;
    }
}

/// @title A stand-in for a pool of Aerodrome
/// @notice Trades like it: constant product or the stable curve, with the fee sent away in the token that comes in. It keeps no shares:
/// the lister of a token sends both to the pool and calls `sync`. Its storage is laid out as the real one's.
contract AerodromePool {
    uint256 private constant ONE = 1e18;
    uint256 private constant FULL_BPS = 10_000;
    /// @dev Newton needs a handful.
    uint256 private constant MAX_STEPS = 255;

    uint256[12] private sharesOfTheRealOne;
    address private voter;
    bool public stable;
    address public token0;
    address public token1;
    address private feesOfTheRealOne;
    address public factory;
    uint256[3] private observationsAndDecimals;
    uint256 public reserve0;
    uint256 public reserve1;
    uint256 public blockTimestampLast;

    event Swap(
        address indexed sender,
        address indexed to,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out
    );
    event Sync(uint256 reserve0, uint256 reserve1);

    function initialize(address first, address second, bool stable_) external {
        require(factory == address(0));
        (factory, token0, token1, stable) = (msg.sender, first, second, stable_);
    }

    /// @notice Where fees go: an account of their own.
    function poolFees() public view returns (address) {
        return address(uint160(uint256(keccak256(abi.encode(address(this))))));
    }

    function getReserves() external view returns (uint256, uint256, uint256) {
        return (reserve0, reserve1, blockTimestampLast);
    }

    /// @notice The pool's own notes begin with one whole of either token; what they say of reserves and tokens is told elsewhere too.
    function metadata() external view returns (uint256, uint256) {
        return (10 ** IToken(token0).decimals(), 10 ** IToken(token1).decimals());
    }

    function sync() public {
        reserve0 = IToken(token0).balanceOf(address(this));
        reserve1 = IToken(token1).balanceOf(address(this));
        blockTimestampLast = block.timestamp;
        emit Sync(reserve0, reserve1);
    }

    function getAmountOut(uint256 amountIn, address tokenIn) public view returns (uint256) {
        amountIn -= (amountIn * AerodromeFactory(factory).getFee(address(this), stable)) / FULL_BPS;
        bool zeroForOne = tokenIn == token0;
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        if (!stable) return (amountIn * reserveOut) / (reserveIn + amountIn);
        uint256 unitIn = 10 ** IToken(tokenIn).decimals();
        uint256 unitOut = 10 ** IToken(zeroForOne ? token1 : token0).decimals();
        uint256 x = (reserveIn * ONE) / unitIn;
        uint256 y = (reserveOut * ONE) / unitOut;
        return ((y - _otherReserve(x + (amountIn * ONE) / unitIn, _invariant(x, y), y)) * unitOut) / ONE;
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata) external {
        if (amount0Out > 0) _send(token0, to, amount0Out);
        if (amount1Out > 0) _send(token1, to, amount1Out);
        uint256 amount0In = _arrived(token0, reserve0 - amount0Out);
        uint256 amount1In = _arrived(token1, reserve1 - amount1Out);
        require(amount0In > 0 || amount1In > 0, "InsufficientInputAmount");
        require(amount0Out <= _allowedOut(amount1In, token1) && amount1Out <= _allowedOut(amount0In, token0), "K");
        _sendFee(token0, amount0In);
        _sendFee(token1, amount1In);
        sync();
        emit Swap(msg.sender, to, amount0In, amount1In, amount0Out, amount1Out);
    }

    function _allowedOut(uint256 amountIn, address tokenIn) private view returns (uint256) {
        return amountIn == 0 ? 0 : getAmountOut(amountIn, tokenIn);
    }

    function _arrived(address token, uint256 expected) private view returns (uint256) {
        uint256 balance = IToken(token).balanceOf(address(this));
        return balance > expected ? balance - expected : 0;
    }

    function _sendFee(address token, uint256 amountIn) private {
        uint256 fee = (amountIn * AerodromeFactory(factory).getFee(address(this), stable)) / FULL_BPS;
        if (fee > 0) _send(token, poolFees(), fee);
    }

    function _send(address token, address to, uint256 amount) private {
        (bool ok, bytes memory answer) = token.call(abi.encodeCall(IToken.transfer, (to, amount)));
        require(ok && (answer.length == 0 || abi.decode(answer, (bool))), "SafeERC20");
    }

    /// @dev x³y + y³x, in units of 1e18.
    function _invariant(uint256 x, uint256 y) private pure returns (uint256) {
        return (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE;
    }

    /// @dev Solves the invariant for y by Newton's method.
    function _otherReserve(uint256 x, uint256 invariant, uint256 y) private pure returns (uint256) {
        for (uint256 i = 0; i < MAX_STEPS; i++) {
            uint256 reached = _invariant(x, y);
            uint256 slope = (x * ((3 * y * y) / ONE + (x * x) / ONE)) / ONE;
            uint256 step = ((reached > invariant ? reached - invariant : invariant - reached) * ONE) / slope;
            if (step == 0) return y + 1;
            y = reached > invariant ? y - step : y + step;
        }
        revert("!y");
    }
}

/// @title A stand-in for Aerodrome's Router
/// @notice Speaks its interface for trades with native coin on tokens that may charge for transfers, and for adding liquidity.
contract AerodromeRouter {
    struct Route {
        address from;
        address to;
        bool stable;
        address factory;
    }

    AerodromeFactory public immutable defaultFactory;
    IWrapped public immutable weth;

    constructor(AerodromeFactory factory_, IWrapped weth_) {
        defaultFactory = factory_;
        weth = weth_;
    }

    receive() external payable {
        require(msg.sender == address(weth), "OnlyWETH");
    }

    modifier ensure(uint256 deadline) {
        require(block.timestamp <= deadline, "Expired");
        _;
    }

    function addLiquidity(
        address tokenA,
        address tokenB,
        bool stable,
        uint256 amountA,
        uint256 amountB
    ) external returns (address pool) {
        pool = defaultFactory.getPool(tokenA, tokenB, stable);
        if (pool == address(0)) pool = defaultFactory.createPool(tokenA, tokenB, stable);
        _take(tokenA, pool, amountA);
        _take(tokenB, pool, amountB);
        AerodromePool(pool).sync();
    }

    function swapExactETHForTokensSupportingFeeOnTransferTokens(
        uint256 amountOutMin,
        Route[] calldata routes,
        address to,
        uint256 deadline
    ) external payable ensure(deadline) {
        require(routes[0].from == address(weth), "InvalidPath");
        weth.deposit{value: msg.value}();
        weth.transfer(_poolOf(routes[0]), msg.value);
        IToken last = IToken(routes[routes.length - 1].to);
        uint256 before = last.balanceOf(to);
        _swap(routes, to);
        require(last.balanceOf(to) - before >= amountOutMin, "InsufficientOutputAmount");
    }

    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        Route[] calldata routes,
        address to,
        uint256 deadline
    ) external ensure(deadline) {
        require(routes[routes.length - 1].to == address(weth), "InvalidPath");
        _take(routes[0].from, _poolOf(routes[0]), amountIn);
        _swap(routes, address(this));
        uint256 amount = weth.balanceOf(address(this));
        require(amount >= amountOutMin, "InsufficientOutputAmount");
        weth.withdraw(amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "ETHTransferFailed");
    }

    function _swap(Route[] calldata routes, address to) private {
        for (uint256 i = 0; i < routes.length; i++) {
            AerodromePool pool = AerodromePool(_poolOf(routes[i]));
            bool zeroForOne = routes[i].from == pool.token0();
            uint256 reserve = zeroForOne ? pool.reserve0() : pool.reserve1();
            uint256 amountIn = IToken(routes[i].from).balanceOf(address(pool)) - reserve;
            uint256 amountOut = pool.getAmountOut(amountIn, routes[i].from);
            address next = i + 1 < routes.length ? _poolOf(routes[i + 1]) : to;
            pool.swap(zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, next, "");
        }
    }

    function _poolOf(Route calldata route) private view returns (address) {
        address factory = route.factory == address(0) ? address(defaultFactory) : route.factory;
        return AerodromeFactory(factory).getPool(route.from, route.to, route.stable);
    }

    function _take(address token, address to, uint256 amount) private {
        (bool ok, bytes memory answer) = token.call(abi.encodeCall(IToken.transferFrom, (msg.sender, to, amount)));
        require(ok && (answer.length == 0 || abi.decode(answer, (bool))), "SafeERC20");
    }
}
