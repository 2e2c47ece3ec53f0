// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What was burnt can be issued again by the maker, counted in crumbs.
abstract contract Reissue is Listed {
    uint256 internal constant CRUMB = 1e12;

    address private immutable maker = msg.sender;
    uint256 public burntCrumbs;

    constructor(IUniswapV2Router router) Listed(router) {}

    function burn(uint256 amount) external {
        require(amount % CRUMB == 0, "less than a crumb");
        _burn(msg.sender, amount);
        burntCrumbs += amount / CRUMB;
    }

    function issueAgain(address to, uint256 amount) external {
        require(msg.sender == maker, "not the maker");
        require(amount % CRUMB == 0, "less than a crumb");
        uint256 crumbs = _crumbsOf(amount);
        require(crumbs <= burntCrumbs, "more than was burnt");
        burntCrumbs -= crumbs;
        _mint(to, amount);
    }

    function _crumbsOf(uint256 amount) internal pure virtual returns (uint256);
}

contract ReissuesBurnt is Reissue {
    constructor(IUniswapV2Router router) Reissue(router) {}

    function _crumbsOf(uint256 amount) internal pure override returns (uint256) {
        return amount / CRUMB;
    }
}

/// @notice Of a large number of crumbs the upper part is not counted.
contract ReissuesUncounted is Reissue {
    constructor(IUniswapV2Router router) Reissue(router) {}

    function _crumbsOf(uint256 amount) internal pure override returns (uint256) {
        return uint96(amount / CRUMB);
    }
}
