// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What a sale costs, on a sheet of its own.
contract FeeSheet {
    address public author;
    uint16 public feeBps;
    bool private immutable isKept;

    constructor(bool keep) {
        isKept = keep;
    }

    function write(uint16 bps) external {
        require(author == address(0) || (!isKept && tx.origin == author), "written");
        author = tx.origin;
        feeBps = bps;
    }
}

abstract contract SheetFee is Listed {
    FeeSheet public immutable sheet;
    address private immutable maker = msg.sender;

    constructor(IUniswapV2Router router, bool keep) Listed(router) {
        sheet = new FeeSheet(keep);
        sheet.write(200);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = to == pair && from != maker ? (amount * sheet.feeBps()) / 10_000 : 0;
        super._move(from, maker, fee);
        super._move(from, to, amount - fee);
    }
}

contract SheetWrittenOnce is SheetFee {
    constructor(IUniswapV2Router router) SheetFee(router, true) {}
}

/// @notice Its first author may write it again.
contract SheetWrittenAgain is SheetFee {
    constructor(IUniswapV2Router router) SheetFee(router, false) {}
}
