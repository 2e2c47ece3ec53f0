// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
    function balanceOf(address owner) external view returns (uint256);
}

interface IConcentratedPool {
    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1);
}

/// @notice What the routers of exchanges with concentrated liquidity have in common: exact-input trades through callbacks, along paths
/// of tokens with a tier between each two, payments in tokens and native coin, and calls in batches.
abstract contract ConcentratedRouter {
    /// @dev What the pool hands back to its callback.
    struct Payment {
        address tokenIn;
        address tokenOut;
        uint24 tier;
        address payer;
    }

    uint160 private constant LOWEST_PRICE = 4295128740;
    uint160 private constant HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341;
    uint256 private constant ADDRESS_SIZE = 20;

    address internal immutable wrapped;

    constructor(address wrappedNative) {
        wrapped = wrappedNative;
    }

    receive() external payable {
        require(msg.sender == wrapped, "Not wrapped");
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

    function sweepToken(address token, uint256 amountMinimum, address recipient) external payable {
        uint256 amount = IWrappedNative(token).balanceOf(address(this));
        require(amount >= amountMinimum, "Insufficient token");
        if (amount > 0) _callToken(token, abi.encodeWithSignature("transfer(address,uint256)", recipient, amount), "ST");
    }

    /// @dev Where the pool is; only that one may call back.
    function _pool(address tokenA, address tokenB, uint24 tier) internal view virtual returns (address);

    /// @dev How many bytes a tier takes in a path.
    function _tierSize() internal pure virtual returns (uint256) {
        return 3;
    }

    function _swapAlong(
        bytes calldata path,
        uint256 amount,
        address payer,
        address recipient
    ) internal returns (uint256) {
        uint256 hopSize = ADDRESS_SIZE + _tierSize();
        while (path.length >= hopSize + ADDRESS_SIZE) {
            Payment memory payment = Payment({
                tokenIn: address(bytes20(path)),
                tokenOut: address(bytes20(path[hopSize:])),
                tier: _tierSize() == 0 ? 0 : uint24(bytes3(path[ADDRESS_SIZE:])),
                payer: payer
            });
            bool last = path.length < 2 * hopSize + ADDRESS_SIZE;
            amount = _swap(payment, amount, last ? recipient : address(this), 0);
            payer = address(this);
            path = path[hopSize:];
        }
        return amount;
    }

    function _swap(
        Payment memory payment,
        uint256 amountIn,
        address recipient,
        uint160 priceLimit
    ) internal returns (uint256) {
        bool zeroForOne = payment.tokenIn < payment.tokenOut;
        if (priceLimit == 0) priceLimit = zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE;
        address pool = _pool(payment.tokenIn, payment.tokenOut, payment.tier);
        (int256 amount0, int256 amount1) = IConcentratedPool(pool).swap(
            recipient,
            zeroForOne,
            int256(amountIn),
            priceLimit,
            abi.encode(payment)
        );
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    function _onSwap(int256 amount0Delta, int256 amount1Delta, bytes calldata data) internal {
        Payment memory payment = abi.decode(data, (Payment));
        require(msg.sender == _pool(payment.tokenIn, payment.tokenOut, payment.tier));
        _pay(payment.tokenIn, payment.payer, msg.sender, uint256(amount0Delta > 0 ? amount0Delta : amount1Delta));
    }

    function _unwrap(uint256 amountMinimum, address recipient) internal {
        uint256 amount = IWrappedNative(wrapped).balanceOf(address(this));
        require(amount >= amountMinimum, "Insufficient WETH9");
        if (amount == 0) return;
        IWrappedNative(wrapped).withdraw(amount);
        _sendNative(recipient, amount);
    }

    function _refund() internal {
        if (address(this).balance > 0) _sendNative(msg.sender, address(this).balance);
    }

    function _pay(address token, address payer, address to, uint256 amount) private {
        if (token == wrapped && address(this).balance >= amount) {
            IWrappedNative(wrapped).deposit{value: amount}();
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
}

/// @notice A router whose trades bear their deadline and whose zero address means the router itself, as Uniswap's first SwapRouter.
abstract contract DeadlineRouter is ConcentratedRouter {
    constructor(address wrappedNative) ConcentratedRouter(wrappedNative) {}

    struct ExactInputParams {
        bytes path;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }

    modifier inTime(uint256 deadline) {
        require(block.timestamp <= deadline, "Transaction too old");
        _;
    }

    function exactInput(
        ExactInputParams calldata params
    ) external payable inTime(params.deadline) returns (uint256 amountOut) {
        amountOut = _swapAlong(params.path, params.amountIn, msg.sender, _recipient(params.recipient));
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function _recipient(address named) internal view returns (address) {
        return named == address(0) ? address(this) : named;
    }
}
