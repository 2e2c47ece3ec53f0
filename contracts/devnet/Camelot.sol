// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface IWrapped is IToken {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title A stand-in for Camelot V2's factory
/// @notice Makes one pair for each two tokens, and says who gets a share of the fees. Its storage is laid out as the real one's.
contract CamelotFactory {
    address public owner;
    address public feePercentOwner;
    address public setStableOwner;
    address public feeTo;
    uint256 public ownerFeeShare;
    mapping(address => uint256) public referrersFeeShare;
    mapping(address => mapping(address => address)) public getPair;

    constructor(address feeTo_) {
        (owner, feeTo, ownerFeeShare) = (msg.sender, feeTo_, 40_000);
    }

    function feeInfo() external view returns (uint256, address) {
        return (ownerFeeShare, feeTo);
    }

    function createPair(address tokenA, address tokenB) external returns (address pair) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        require(token0 != address(0) && getPair[token0][token1] == address(0));
        pair = address(new CamelotPair{salt: keccak256(abi.encodePacked(token0, token1))}());
        CamelotPair(pair).initialize(token0, token1);
        getPair[token0][token1] = pair;
        getPair[token1][token0] = pair;
    }
}

/// @title A stand-in for a pair of Camelot V2
/// @notice Constant product with another fee in each direction, a part of which leaves the pair in the token that came in. It keeps no
/// shares: the lister of a token sends both to the pair and calls `sync`. Its storage is laid out as the real one's.
contract CamelotPair {
    uint256 private constant FEE_DENOMINATOR = 100_000;

    uint256[5] private sharesOfTheRealOne;
    address public factory;
    address public token0;
    address public token1;
    bool public initialized;
    uint112 private reserve0;
    uint112 private reserve1;
    uint16 public token0FeePercent;
    uint16 public token1FeePercent;
    uint256[3] private precisionAndProduct;
    bool public stableSwap;
    uint256 private unlocked;

    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );
    event Sync(uint112 reserve0, uint112 reserve1);

    function initialize(address first, address second) external {
        require(!initialized, "CamelotPair: FORBIDDEN");
        (factory, token0, token1, initialized) = (msg.sender, first, second, true);
        (token0FeePercent, token1FeePercent, unlocked) = (300, 500, 1);
    }

    function getReserves() external view returns (uint112, uint112, uint16, uint16) {
        return (reserve0, reserve1, token0FeePercent, token1FeePercent);
    }

    function sync() public {
        reserve0 = uint112(IToken(token0).balanceOf(address(this)));
        reserve1 = uint112(IToken(token1).balanceOf(address(this)));
        emit Sync(reserve0, reserve1);
    }

    function getAmountOut(uint256 amountIn, address tokenIn) public view returns (uint256) {
        bool zeroForOne = tokenIn == token0;
        uint256 kept = amountIn * (FEE_DENOMINATOR - (zeroForOne ? token0FeePercent : token1FeePercent));
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        return (kept * reserveOut) / (reserveIn * FEE_DENOMINATOR + kept);
    }

    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata, address) external {
        require(unlocked == 1, "CamelotPair: LOCKED");
        unlocked = 0;
        if (amount0Out > 0) _send(token0, to, amount0Out);
        if (amount1Out > 0) _send(token1, to, amount1Out);
        uint256 amount0In = _arrived(token0, reserve0 - amount0Out);
        uint256 amount1In = _arrived(token1, reserve1 - amount1Out);
        require(amount0In > 0 || amount1In > 0, "CamelotPair: INSUFFICIENT_INPUT_AMOUNT");
        require(amount0Out <= _allowedOut(amount1In, token1) && amount1Out <= _allowedOut(amount0In, token0), "K");
        _sendFee(token0, amount0In, token0FeePercent);
        _sendFee(token1, amount1In, token1FeePercent);
        sync();
        unlocked = 1;
        emit Swap(msg.sender, amount0In, amount1In, amount0Out, amount1Out, to);
    }

    function _allowedOut(uint256 amountIn, address tokenIn) private view returns (uint256) {
        return amountIn == 0 ? 0 : getAmountOut(amountIn, tokenIn);
    }

    function _arrived(address token, uint256 expected) private view returns (uint256) {
        uint256 balance = IToken(token).balanceOf(address(this));
        return balance > expected ? balance - expected : 0;
    }

    function _sendFee(address token, uint256 amountIn, uint256 feePercent) private {
        (uint256 share, address feeTo) = CamelotFactory(factory).feeInfo();
        uint256 fee = (amountIn * feePercent * share) / FEE_DENOMINATOR / FEE_DENOMINATOR;
        if (fee > 0 && feeTo != address(0)) _send(token, feeTo, fee);
    }

    function _send(address token, address to, uint256 amount) private {
        (bool ok, bytes memory answer) = token.call(abi.encodeCall(IToken.transfer, (to, amount)));
        require(ok && (answer.length == 0 || abi.decode(answer, (bool))), "CamelotPair: TRANSFER_FAILED");
    }
}

/// @title A stand-in for Camelot V2's router
/// @notice Speaks its interface for trades with native coin on tokens that may charge for transfers, which also name a referrer.
contract CamelotRouter {
    CamelotFactory public immutable factory;
    IWrapped public immutable WETH;

    constructor(CamelotFactory factory_, IWrapped weth) {
        factory = factory_;
        WETH = weth;
    }

    receive() external payable {
        require(msg.sender == address(WETH));
    }

    modifier ensure(uint256 deadline) {
        require(block.timestamp <= deadline, "CamelotRouter: EXPIRED");
        _;
    }

    function addLiquidity(address tokenA, address tokenB, uint256 amountA, uint256 amountB) external {
        address pair = factory.getPair(tokenA, tokenB);
        if (pair == address(0)) pair = factory.createPair(tokenA, tokenB);
        _take(tokenA, pair, amountA);
        _take(tokenB, pair, amountB);
        CamelotPair(pair).sync();
    }

    function swapExactETHForTokensSupportingFeeOnTransferTokens(
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        address referrer,
        uint256 deadline
    ) external payable ensure(deadline) {
        require(path[0] == address(WETH), "CamelotRouter: INVALID_PATH");
        WETH.deposit{value: msg.value}();
        WETH.transfer(factory.getPair(path[0], path[1]), msg.value);
        IToken last = IToken(path[path.length - 1]);
        uint256 before = last.balanceOf(to);
        _swap(path, to, referrer);
        require(last.balanceOf(to) - before >= amountOutMin, "CamelotRouter: INSUFFICIENT_OUTPUT_AMOUNT");
    }

    function swapExactTokensForETHSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        address referrer,
        uint256 deadline
    ) external ensure(deadline) {
        require(path[path.length - 1] == address(WETH), "CamelotRouter: INVALID_PATH");
        _take(path[0], factory.getPair(path[0], path[1]), amountIn);
        _swap(path, address(this), referrer);
        uint256 amount = WETH.balanceOf(address(this));
        require(amount >= amountOutMin, "CamelotRouter: INSUFFICIENT_OUTPUT_AMOUNT");
        WETH.withdraw(amount);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "TransferHelper: ETH_TRANSFER_FAILED");
    }

    function _swap(address[] calldata path, address to, address referrer) private {
        for (uint256 i = 0; i + 1 < path.length; i++) {
            CamelotPair pair = CamelotPair(factory.getPair(path[i], path[i + 1]));
            bool zeroForOne = path[i] < path[i + 1];
            (uint256 reserve0, uint256 reserve1, , ) = pair.getReserves();
            uint256 amountIn = IToken(path[i]).balanceOf(address(pair)) - (zeroForOne ? reserve0 : reserve1);
            uint256 amountOut = pair.getAmountOut(amountIn, path[i]);
            address next = i + 2 < path.length ? factory.getPair(path[i + 1], path[i + 2]) : to;
            pair.swap(zeroForOne ? 0 : amountOut, zeroForOne ? amountOut : 0, next, "", referrer);
        }
    }

    function _take(address token, address to, uint256 amount) private {
        (bool ok, bytes memory answer) = token.call(abi.encodeCall(IToken.transferFrom, (msg.sender, to, amount)));
        require(ok && (answer.length == 0 || abi.decode(answer, (bool))), "TransferHelper: TRANSFER_FROM_FAILED");
    }
}
