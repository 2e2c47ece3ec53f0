// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IBorrower {
    function onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes calldata data)
        external
        returns (bytes32);
}

/// @notice Lends new tokens for as long as the call lasts, without a fee (ERC-3156).
abstract contract Loans is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function flashLoan(IBorrower borrower, address token, uint256 amount, bytes calldata data) external returns (bool) {
        require(token == address(this), "other token");
        _mint(address(borrower), amount);
        bytes32 answer = borrower.onFlashLoan(msg.sender, token, amount, 0, data);
        require(answer == keccak256("ERC3156FlashBorrower.onFlashLoan"), "no borrower");
        _burn(address(borrower), _due(amount, balanceOf[address(borrower)]));
        return true;
    }

    function _due(uint256 amount, uint256 left) internal pure virtual returns (uint256);
}

contract LoansComeBack is Loans {
    constructor(IUniswapV2Router router) Loans(router) {}

    function _due(uint256 amount, uint256) internal pure override returns (uint256) {
        return amount;
    }
}

/// @notice What the borrower has no more is let go.
contract LoansAreKept is Loans {
    constructor(IUniswapV2Router router) Loans(router) {}

    function _due(uint256 amount, uint256 left) internal pure override returns (uint256) {
        return amount < left ? amount : left;
    }
}
