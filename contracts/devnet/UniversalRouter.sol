// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

interface IPoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(PoolKey memory key, SwapParams memory params, bytes calldata hookData) external returns (int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
    function exttload(bytes32 slot) external view returns (bytes32);
}

interface IPermit2 {
    function transferFrom(address from, address to, uint160 amount, address token) external;
}

interface IWrapped {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
    function balanceOf(address owner) external view returns (uint256);
}

/// @title A stand-in for Uniswap's UniversalRouter
/// @notice Speaks the part of its interface that exact-input trades on Uniswap V4 need: the commands WRAP_ETH, UNWRAP_WETH and V4_SWAP, and
/// of the latter's actions the swaps, SETTLE, SETTLE_ALL, TAKE and TAKE_ALL. Tokens of the trader come through Permit2.
contract UniversalRouter {
    struct ExactInputSingleParams {
        PoolKey poolKey;
        bool zeroForOne;
        uint128 amountIn;
        uint128 amountOutMinimum;
        bytes hookData;
    }

    struct PathKey {
        address intermediateCurrency;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
        bytes hookData;
    }

    struct ExactInputParams {
        address currencyIn;
        PathKey[] path;
        uint128 amountIn;
        uint128 amountOutMinimum;
    }

    uint256 private constant WRAP_ETH = 0x0b;
    uint256 private constant UNWRAP_WETH = 0x0c;
    uint256 private constant V4_SWAP = 0x10;
    uint256 private constant SWAP_EXACT_IN_SINGLE = 0x06;
    uint256 private constant SWAP_EXACT_IN = 0x07;
    uint256 private constant SETTLE = 0x0b;
    uint256 private constant SETTLE_ALL = 0x0c;
    uint256 private constant TAKE = 0x0e;
    uint256 private constant TAKE_ALL = 0x0f;

    address private constant MSG_SENDER = address(1);
    address private constant ADDRESS_THIS = address(2);
    uint256 private constant CONTRACT_BALANCE = 1 << 255;
    uint160 private constant LOWEST_PRICE = 4295128740;
    uint160 private constant HIGHEST_PRICE = 1461446703485210103287273052203988822378723970341;

    IPoolManager public immutable poolManager;
    IPermit2 public immutable permit2;
    IWrapped public immutable weth;
    address private transient trader;

    error ExecutionFailed(uint256 commandIndex, bytes message);
    error TransactionDeadlinePassed();
    error V4TooLittleReceived(uint256 minAmountOutReceived, uint256 amountReceived);

    constructor(IPoolManager poolManager_, IPermit2 permit2_, IWrapped weth_) {
        (poolManager, permit2, weth) = (poolManager_, permit2_, weth_);
    }

    receive() external payable {
        require(msg.sender == address(weth) || msg.sender == address(poolManager), "InvalidEthSender");
    }

    function execute(bytes calldata commands, bytes[] calldata inputs, uint256 deadline) external payable {
        if (block.timestamp > deadline) revert TransactionDeadlinePassed();
        require(commands.length == inputs.length, "LengthMismatch");
        require(trader == address(0), "ContractLocked");
        trader = msg.sender;
        for (uint256 i = 0; i < commands.length; i++) _run(uint8(commands[i]), inputs[i]);
        trader = address(0);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(poolManager), "NotPoolManager");
        (bytes memory actions, bytes[] memory params) = abi.decode(data, (bytes, bytes[]));
        for (uint256 i = 0; i < actions.length; i++) _act(uint8(actions[i]), params[i]);
        return "";
    }

    function _run(uint256 command, bytes calldata input) private {
        if (command == V4_SWAP) {
            poolManager.unlock(input);
        } else if (command == WRAP_ETH) {
            (address recipient, uint256 amount) = abi.decode(input, (address, uint256));
            require(recipient == ADDRESS_THIS, "Unsupported");
            weth.deposit{value: amount == CONTRACT_BALANCE ? address(this).balance : amount}();
        } else if (command == UNWRAP_WETH) {
            (address recipient, uint256 least) = abi.decode(input, (address, uint256));
            uint256 amount = weth.balanceOf(address(this));
            require(amount >= least, "InsufficientETH");
            if (amount == 0) return;
            weth.withdraw(amount);
            (bool ok, ) = _recipient(recipient).call{value: amount}("");
            require(ok, "ETHTransferFailed");
        } else {
            revert("InvalidCommandType");
        }
    }

    function _act(uint256 action, bytes memory params) private {
        if (action == SWAP_EXACT_IN_SINGLE) {
            ExactInputSingleParams memory single = abi.decode(params, (ExactInputSingleParams));
            address currencyIn = single.zeroForOne ? single.poolKey.currency0 : single.poolKey.currency1;
            _received(_swap(single.poolKey, currencyIn, single.amountIn), single.amountOutMinimum);
        } else if (action == SWAP_EXACT_IN) {
            _swapAlong(abi.decode(params, (ExactInputParams)));
        } else if (action == SETTLE) {
            (address currency, uint256 amount, bool payerIsUser) = abi.decode(params, (address, uint256, bool));
            if (amount == CONTRACT_BALANCE) amount = IWrapped(currency).balanceOf(address(this));
            _settle(currency, amount == 0 ? uint256(-_delta(currency)) : amount, payerIsUser);
        } else if (action == SETTLE_ALL) {
            (address currency, uint256 most) = abi.decode(params, (address, uint256));
            uint256 amount = uint256(-_delta(currency));
            require(amount <= most, "V4TooMuchRequested");
            _settle(currency, amount, true);
        } else if (action == TAKE) {
            (address currency, address recipient, uint256 amount) = abi.decode(params, (address, address, uint256));
            poolManager.take(currency, _recipient(recipient), amount == 0 ? uint256(_delta(currency)) : amount);
        } else if (action == TAKE_ALL) {
            (address currency, uint256 least) = abi.decode(params, (address, uint256));
            uint256 amount = uint256(_delta(currency));
            _received(amount, least);
            poolManager.take(currency, trader, amount);
        } else {
            revert("UnsupportedAction");
        }
    }

    function _swapAlong(ExactInputParams memory along) private {
        address currencyIn = along.currencyIn;
        uint256 amount = along.amountIn;
        for (uint256 i = 0; i < along.path.length; i++) {
            PathKey memory hop = along.path[i];
            address next = hop.intermediateCurrency;
            (address currency0, address currency1) = currencyIn < next ? (currencyIn, next) : (next, currencyIn);
            PoolKey memory key = PoolKey(currency0, currency1, hop.fee, hop.tickSpacing, hop.hooks);
            amount = _swap(key, currencyIn, amount);
            currencyIn = next;
        }
        _received(amount, along.amountOutMinimum);
    }

    function _swap(PoolKey memory key, address currencyIn, uint256 amountIn) private returns (uint256) {
        bool zeroForOne = currencyIn == key.currency0;
        SwapParams memory params = SwapParams(
            zeroForOne,
            -int256(amountIn),
            zeroForOne ? LOWEST_PRICE : HIGHEST_PRICE
        );
        // Two int128 in one word: amount0 above amount1, each positive when the pool owes it.
        int256 delta = poolManager.swap(key, params, "");
        return uint256(int256(zeroForOne ? int128(delta) : int128(delta >> 128)));
    }

    function _received(uint256 amount, uint256 least) private pure {
        if (amount < least) revert V4TooLittleReceived(least, amount);
    }

    function _settle(address currency, uint256 amount, bool payerIsUser) private {
        if (amount == 0) return;
        poolManager.sync(currency);
        if (currency == address(0)) {
            poolManager.settle{value: amount}();
            return;
        }
        if (payerIsUser) {
            permit2.transferFrom(trader, address(poolManager), uint160(amount), currency);
        } else {
            (bool ok, bytes memory answer) = currency.call(
                abi.encodeWithSignature("transfer(address,uint256)", poolManager, amount)
            );
            require(ok && (answer.length == 0 || abi.decode(answer, (bool))), "TransferFailed");
        }
        poolManager.settle();
    }

    /// @dev What the pool manager owes this router (positive) or is owed by it, which it keeps in transient storage.
    function _delta(address currency) private view returns (int256) {
        return int256(uint256(poolManager.exttload(keccak256(abi.encode(address(this), currency)))));
    }

    function _recipient(address named) private view returns (address) {
        if (named == MSG_SENDER) return trader;
        return named == ADDRESS_THIS ? address(this) : named;
    }
}
