// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice Accounts back others. Who is backed by many moves nothing, which is asked where there is a backer.
abstract contract Backed is Listed {
    uint256 private constant MAX_BACKERS = 32;
    mapping(address => address[]) private _backers;
    mapping(address => uint256) public backing;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _back(address who) internal {
        _backers[who].push(msg.sender);
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _weigh(from);
        _weigh(to);
    }

    function _weigh(address who) private {
        uint256 count = _backers[who].length;
        if (count == 0) return;
        require(count <= MAX_BACKERS, "too many backers");
        uint256 sum;
        for (uint256 i = 0; i < count; i++) sum += balanceOf[_backers[who][i]];
        backing[who] = sum;
    }
}

/// @notice Each backer is agreed to once, by the account itself.
contract BackedByConsent is Backed {
    mapping(address => mapping(address => bool)) public accepts;

    constructor(IUniswapV2Router router) Backed(router) {}

    function accept(address backer, bool isOn) external {
        accepts[msg.sender][backer] = isOn;
    }

    function back(address who) external {
        require(accepts[who][msg.sender], "not accepted");
        accepts[who][msg.sender] = false;
        _back(who);
    }
}

contract BackedByAnyone is Backed {
    constructor(IUniswapV2Router router) Backed(router) {}

    function back(address who) external {
        require(who != msg.sender, "oneself");
        _back(who);
    }
}

/// @notice Tokens are laid down against an account, which moves nothing while a share of all lies there.
abstract contract Shunned is Listed {
    mapping(address => uint256) public against;
    mapping(address => mapping(address => uint256)) private _laidDown;

    constructor(IUniswapV2Router router) Listed(router) {}

    function shun(address who, uint256 amount) external {
        super._move(msg.sender, address(this), amount);
        _laidDown[msg.sender][who] += amount;
        against[who] += amount;
    }

    function forgive(address who) external {
        uint256 amount = _laidDown[msg.sender][who];
        _laidDown[msg.sender][who] = 0;
        against[who] -= amount;
        super._move(address(this), msg.sender, amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(against[from] * _parts() < totalSupply, "shunned");
        super._move(from, to, amount);
    }

    function _parts() internal pure virtual returns (uint256);
}

contract ShunnedByAll is Shunned {
    constructor(IUniswapV2Router router) Shunned(router) {}

    function _parts() internal pure override returns (uint256) {
        return 1;
    }
}

contract ShunnedByFifth is Shunned {
    constructor(IUniswapV2Router router) Shunned(router) {}

    function _parts() internal pure override returns (uint256) {
        return 5;
    }
}

/// @notice Holders of a fifth say what a sale pays, in hundredths of a percent.
abstract contract FeeOfHolders is Listed {
    uint256 public fee;

    constructor(IUniswapV2Router router) Listed(router) {}

    function say(uint256 wanted) external {
        require(balanceOf[msg.sender] * 5 >= totalSupply, "not enough");
        require(wanted <= 300, "too high");
        fee = _next(wanted);
    }

    function _next(uint256 wanted) internal view virtual returns (uint256);

    function _move(address from, address to, uint256 amount) internal override {
        uint256 taken = to == pair ? (amount * fee) / 10_000 : 0;
        if (taken > 0) super._move(from, address(this), taken);
        super._move(from, to, amount - taken);
    }
}

contract FeeIsSaid is FeeOfHolders {
    constructor(IUniswapV2Router router) FeeOfHolders(router) {}

    function _next(uint256 wanted) internal pure override returns (uint256) {
        return wanted;
    }
}

contract FeeIsAdded is FeeOfHolders {
    constructor(IUniswapV2Router router) FeeOfHolders(router) {}

    function _next(uint256 wanted) internal view override returns (uint256) {
        return fee + wanted;
    }
}
