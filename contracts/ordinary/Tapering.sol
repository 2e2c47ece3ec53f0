// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Owned} from "../shared/Owned.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice A sale costs 8 %, and less from hour to hour: nothing after two days.
abstract contract Tapering is Listed, Owned {
    uint256 internal constant LENGTH = 48 hours;
    uint256 public begunAt = block.timestamp;

    constructor(IUniswapV2Router router) Listed(router) {}

    function feeBps() public view virtual returns (uint256) {
        uint256 passed = block.timestamp - begunAt;
        if (passed >= LENGTH) return 0;
        return 800 - (800 * passed) / LENGTH;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == pair && from != owner ? (amount * feeBps()) / 10_000 : 0;
        if (fee > 0) super._move(from, owner, fee);
        super._move(from, to, amount - fee);
    }
}

contract FeeTapers is Tapering {
    constructor(IUniswapV2Router router) Tapering(router) {}
}

/// @notice The owner begins anew, with nearly everything.
contract FeeTapersAgain is Tapering {
    uint256 public begins = 800;

    constructor(IUniswapV2Router router) Tapering(router) {}

    function beginAgain() external onlyOwner {
        begunAt = block.timestamp;
        begins = 9_900;
    }

    function feeBps() public view override returns (uint256) {
        uint256 passed = block.timestamp - begunAt;
        if (passed >= LENGTH) return 0;
        return begins - (begins * passed) / LENGTH;
    }
}

/// @notice Nothing for a month, and nearly everything from then on.
contract FeeWaits is Tapering {
    constructor(IUniswapV2Router router) Tapering(router) {}

    function feeBps() public view override returns (uint256) {
        uint256 passed = block.timestamp - begunAt;
        return passed >= 31 days ? 9_900 : 0;
    }
}
