// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

contract VaultAsset is Erc20("Grain", "GRN", 3_000_000) {}

/// @notice Shares of what a vault holds (ERC-4626).
abstract contract VaultBase is Listed {
    VaultAsset public immutable asset = new VaultAsset();

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares);

    constructor(IUniswapV2Router router) Listed(router) {
        asset.transfer(msg.sender, 1_900_000e18);
    }

    function totalAssets() public view virtual returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public view virtual returns (uint256) {
        return (assets * (totalSupply + 1)) / (totalAssets() + 1);
    }

    function convertToAssets(uint256 shares) public view virtual returns (uint256) {
        return (shares * (totalAssets() + 1)) / (totalSupply + 1);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        _enter(receiver, assets, shares);
    }

    function mint(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = convertToAssets(shares) + 1;
        _enter(receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner_) external returns (uint256 shares) {
        shares = convertToShares(assets) + 1;
        _leave(receiver, owner_, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner_) external returns (uint256 assets) {
        assets = convertToAssets(shares);
        _leave(receiver, owner_, assets, shares);
    }

    function _enter(address receiver, uint256 assets, uint256 shares) private {
        require(asset.transferFrom(msg.sender, address(this), assets), "Not paid");
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function _leave(address receiver, address owner_, uint256 assets, uint256 shares) private {
        if (msg.sender != owner_) allowance[owner_][msg.sender] -= shares;
        _burn(owner_, shares);
        require(asset.transfer(receiver, assets), "Not paid out");
        emit Withdraw(msg.sender, receiver, owner_, assets, shares);
    }
}

contract VaultShares is VaultBase {
    constructor(IUniswapV2Router router) VaultBase(router) {}
}

/// @notice The owner says what a share is worth.
contract VaultPriceByOwner is VaultBase {
    address public owner = msg.sender;
    uint256 public price = 1e18;

    constructor(IUniswapV2Router router) VaultBase(router) {}

    function setPrice(uint256 next) external {
        require(msg.sender == owner, "Only the owner");
        price = next;
    }

    function convertToShares(uint256 assets) public view override returns (uint256) {
        return (assets * 1e18) / price;
    }

    function convertToAssets(uint256 shares) public view override returns (uint256) {
        return (shares * price) / 1e18;
    }
}

/// @notice Shares are made for deposits that no one has to pay.
contract VaultWithoutDeposit is VaultBase {
    constructor(IUniswapV2Router router) VaultBase(router) {}

    function totalAssets() public pure override returns (uint256) {
        return 0;
    }
}
