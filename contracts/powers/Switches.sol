// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

interface Reserves {
    function getReserves() external view returns (uint112, uint112, uint32);
    function token0() external view returns (address);
}

/// @notice A switch that is off today. Each fixture asks for something else once it is on.
abstract contract Switched is PowerToken {
    bool public isOn;
    uint256 public mark;

    constructor(address router_) PowerToken(router_) {}

    function turn(bool on) external onlyOwner {
        isOn = on;
        mark = _now();
    }

    function _now() internal view virtual returns (uint256) {
        (uint112 first, uint112 second,) = Reserves(pair).getReserves();
        return Reserves(pair).token0() == address(this) ? second : first;
    }

    function _check(address from, address to, uint256) internal view virtual override {
        require(!_isSell(from, to) || !isOn || !_isOut(), "Not now");
    }

    function _isOut() internal view virtual returns (bool);
}

/// @notice No sale once the price has risen by half.
contract SwitchedCeiling is Switched {
    constructor(address router_) Switched(router_) {}

    function _isOut() internal view override returns (bool) {
        return _now() > mark + mark / 2;
    }
}

/// @notice No sale once the price has fallen a little.
contract SwitchedFloor is Switched {
    constructor(address router_) Switched(router_) {}

    function _isOut() internal view override returns (bool) {
        return _now() + mark / 20 < mark;
    }
}

/// @notice No sale from the third day on.
contract SwitchedClock is Switched {
    constructor(address router_) Switched(router_) {}

    function _now() internal view override returns (uint256) {
        return block.timestamp;
    }

    function _isOut() internal view override returns (bool) {
        return block.timestamp > mark + 2 days;
    }
}

/// @notice A number that its maker writes.
contract PriceBoard {
    uint256 public price = 100;
    address internal _maker;

    constructor(address maker) {
        _maker = maker;
    }

    function write(uint256 to) external {
        require(msg.sender == _maker, "Only the maker");
        price = to;
    }
}

/// @notice No sale above a price that another contract says.
contract SwitchedBoard is Switched {
    PriceBoard internal _board = new PriceBoard(msg.sender);

    constructor(address router_) Switched(router_) {}

    function _isOut() internal view override returns (bool) {
        return _board.price() > 1000;
    }
}

/// @notice What the exchange says is emitted, once the switch is on.
contract SwitchedTwin is Switched {
    event Risen(uint256 to);

    constructor(address router_) Switched(router_) {}

    function _isOut() internal view override returns (bool) {
        return false;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (isOn && _now() > mark + mark / 2) emit Risen(_now());
    }
}
