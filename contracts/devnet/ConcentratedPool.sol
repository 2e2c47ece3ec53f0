// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external;
}

/// @notice A pool that looks like one with concentrated liquidity and holds all of it over the whole range of prices, so that it trades by
/// constant product. The lister of a token sends both to the pool and calls `provide`, which is this stand-in's own.
abstract contract ConcentratedPool {
    uint256 private constant MILLION = 1_000_000;

    function token0() public view virtual returns (address);
    function token1() public view virtual returns (address);

    /// @dev Hundredths of a basis point.
    function _fee(bool zeroForOne) internal view virtual returns (uint256);
    function _keep(uint160 sqrtPriceX96, uint128 liquidity) internal virtual;
    function _askToPay(int256 amount0, int256 amount1, bytes calldata data) internal virtual;
    function _tell(address recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity) internal virtual;

    /// @notice Takes what the pool holds for liquidity.
    function provide() external {
        _update();
    }

    function swap(
        address recipient,
        bool zeroForOne,
        int256 amountSpecified,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external returns (int256 amount0, int256 amount1) {
        require(amountSpecified > 0 && sqrtPriceLimitX96 != 0, "AS");
        (amount0, amount1) = _amounts(uint256(amountSpecified), zeroForOne);
        IToken(zeroForOne ? token1() : token0()).transfer(recipient, uint256(-(zeroForOne ? amount1 : amount0)));
        _collect(IToken(zeroForOne ? token0() : token1()), amount0, amount1, data);
        _settle(recipient, amount0, amount1);
    }

    function _amounts(uint256 amountIn, bool zeroForOne) private view returns (int256, int256) {
        (uint256 reserve0, uint256 reserve1) = _reserves();
        if (zeroForOne) return (int256(amountIn), -int256(_amountOut(amountIn, reserve0, reserve1, true)));
        return (-int256(_amountOut(amountIn, reserve1, reserve0, false)), int256(amountIn));
    }

    function _collect(IToken tokenIn, int256 amount0, int256 amount1, bytes calldata data) private {
        uint256 owed = tokenIn.balanceOf(address(this)) + uint256(amount0 > 0 ? amount0 : amount1);
        _askToPay(amount0, amount1, data);
        require(tokenIn.balanceOf(address(this)) >= owed, "IIA");
    }

    function _settle(address recipient, int256 amount0, int256 amount1) private {
        (uint160 price, uint128 liquidity) = _update();
        _tell(recipient, amount0, amount1, price, liquidity);
    }

    function _reserves() private view returns (uint256, uint256) {
        return (IToken(token0()).balanceOf(address(this)), IToken(token1()).balanceOf(address(this)));
    }

    function _amountOut(
        uint256 amountIn,
        uint256 reserveIn,
        uint256 reserveOut,
        bool zeroForOne
    ) private view returns (uint256) {
        uint256 kept = amountIn * (MILLION - _fee(zeroForOne));
        return (kept * reserveOut) / (reserveIn * MILLION + kept);
    }

    function _update() private returns (uint160 price, uint128 liquidity) {
        (uint256 reserve0, uint256 reserve1) = _reserves();
        price = uint160(_squareRoot((reserve1 << 160) / reserve0) << 16);
        liquidity = uint128(_squareRoot(reserve0 * reserve1));
        _keep(price, liquidity);
    }

    /// @dev Newton from above: falls until it is the floor of the root.
    function _squareRoot(uint256 value) private pure returns (uint256 root) {
        if (value < 2) return value;
        root = value;
        for (uint256 next = (value >> 1) + 1; next < root; next = (value / root + root) >> 1) root = next;
    }
}
