// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
    function balanceOf(address owner) external view returns (uint256);
}

interface IV3Pool {
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

/// @title A stand-in for Uniswap's SwapRouter02
/// @notice Speaks the documented interface of SwapRouter02 for exact-input trades on Uniswap V3: `exactInputSingle` without a
/// deadline, `exactInput`, the three `multicall`s, and the payment calls. On the devnet it stands where chains have SwapRouter02.
contract SwapRouter02 {
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

    /// @dev What the pool hands back to `uniswapV3SwapCallback`.
    struct Payment {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address payer;
    }

    /// @dev An `amountIn` of zero means all that the router holds.
    uint256 private constant CONTRACT_BALANCE = 0;
    /// @dev Recipients that stand for an account that the caller need not know.
    address private constant MSG_SENDER = address(1);
    address private constant ADDRESS_THIS = address(2);

    uint160 private constant LOWEST_PRICE = 4295128740;
    uint160 private constant HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341;
    bytes32 private constant POOL_INIT_CODE_HASH = 0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54;
    uint256 private constant ADDRESS_SIZE = 20;
    uint256 private constant HOP_SIZE = 23;

    address public immutable factory;
    address public immutable WETH9;

    constructor(address factory_, address wrappedNative) {
        factory = factory_;
        WETH9 = wrappedNative;
    }

    receive() external payable {
        require(msg.sender == WETH9, "Not WETH9");
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
        bytes calldata path = params.path;
        (uint256 amount, address payer) = _funding(address(bytes20(path)), params.amountIn);
        while (path.length >= HOP_SIZE + ADDRESS_SIZE) {
            Payment memory payment = Payment({
                tokenIn: address(bytes20(path)),
                tokenOut: address(bytes20(path[HOP_SIZE:])),
                fee: uint24(bytes3(path[ADDRESS_SIZE:])),
                payer: payer
            });
            bool last = path.length < 2 * HOP_SIZE + ADDRESS_SIZE;
            amount = _swap(payment, amount, last ? _recipient(params.recipient) : address(this), 0);
            payer = address(this);
            path = path[HOP_SIZE:];
        }
        amountOut = amount;
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
        Payment memory payment = abi.decode(data, (Payment));
        require(msg.sender == _pool(payment.tokenIn, payment.tokenOut, payment.fee));
        uint256 owed = uint256(amount0Delta > 0 ? amount0Delta : amount1Delta);
        _pay(payment.tokenIn, payment.payer, msg.sender, owed);
    }

    function multicall(bytes[] calldata data) public payable returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(data[i]);
            if (!ok) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function multicall(uint256 deadline, bytes[] calldata data) external payable returns (bytes[] memory) {
        require(block.timestamp <= deadline, "Transaction too old");
        return multicall(data);
    }

    function multicall(bytes32 previousBlockhash, bytes[] calldata data) external payable returns (bytes[] memory) {
        require(blockhash(block.number - 1) == previousBlockhash, "Blockhash");
        return multicall(data);
    }

    function unwrapWETH9(uint256 amountMinimum, address recipient) public payable {
        uint256 amount = IWrappedNative(WETH9).balanceOf(address(this));
        require(amount >= amountMinimum, "Insufficient WETH9");
        if (amount == 0) return;
        IWrappedNative(WETH9).withdraw(amount);
        _sendNative(recipient, amount);
    }

    function unwrapWETH9(uint256 amountMinimum) external payable {
        unwrapWETH9(amountMinimum, msg.sender);
    }

    function refundETH() external payable {
        if (address(this).balance > 0) _sendNative(msg.sender, address(this).balance);
    }

    function sweepToken(address token, uint256 amountMinimum, address recipient) external payable {
        uint256 amount = IWrappedNative(token).balanceOf(address(this));
        require(amount >= amountMinimum, "Insufficient token");
        if (amount > 0) _callToken(token, abi.encodeWithSignature("transfer(address,uint256)", recipient, amount), "ST");
    }

    function _funding(address token, uint256 amountIn) private view returns (uint256 amount, address payer) {
        if (amountIn != CONTRACT_BALANCE) return (amountIn, msg.sender);
        return (IWrappedNative(token).balanceOf(address(this)), address(this));
    }

    function _recipient(address named) private view returns (address) {
        if (named == MSG_SENDER) return msg.sender;
        return named == ADDRESS_THIS ? address(this) : named;
    }

    function _swap(
        Payment memory payment,
        uint256 amountIn,
        address recipient,
        uint160 priceLimit
    ) private returns (uint256) {
        bool zeroForOne = payment.tokenIn < payment.tokenOut;
        if (priceLimit == 0) priceLimit = zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE;
        address pool = _pool(payment.tokenIn, payment.tokenOut, payment.fee);
        (int256 amount0, int256 amount1) = IV3Pool(pool).swap(
            recipient,
            zeroForOne,
            int256(amountIn),
            priceLimit,
            abi.encode(payment)
        );
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    function _pay(address token, address payer, address to, uint256 amount) private {
        if (token == WETH9 && address(this).balance >= amount) {
            IWrappedNative(WETH9).deposit{value: amount}();
            _callToken(token, abi.encodeWithSignature("transfer(address,uint256)", to, amount), "ST");
        } else if (payer == address(this)) {
            _callToken(token, abi.encodeWithSignature("transfer(address,uint256)", to, amount), "ST");
        } else {
            bytes memory data = abi.encodeWithSignature("transferFrom(address,address,uint256)", payer, to, amount);
            _callToken(token, data, "STF");
        }
    }

    /// @dev Accepts tokens that answer nothing, refuses those that answer `false`.
    function _callToken(address token, bytes memory data, string memory reason) private {
        (bool ok, bytes memory answer) = token.call(data);
        require(ok && (answer.length == 0 || abi.decode(answer, (bool))), reason);
    }

    function _sendNative(address to, uint256 amount) private {
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "STE");
    }

    /// @dev The address that EIP-1014 gives the pool; only the real pool may call back.
    function _pool(address tokenA, address tokenB, uint24 fee) private view returns (address) {
        (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", factory, salt, POOL_INIT_CODE_HASH)))));
    }
}
