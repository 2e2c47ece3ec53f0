// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice What a portal leads to: it takes from an account whatever its portal says.
abstract contract PortalToken is Listed {
    error NotThePortal();

    constructor(IUniswapV2Router router) Listed(router) {}

    function crosschainBurn(address from, uint256 amount) external {
        if (msg.sender != portal()) revert NotThePortal();
        _burn(from, amount);
        _left(amount);
    }

    function _left(uint256 amount) internal virtual {}

    function portal() public view virtual returns (address);
}

/// @notice Its portal is the same for ever.
abstract contract PortalFixed is PortalToken {
    address private immutable _portal;

    constructor(IUniswapV2Router router, address portal_) PortalToken(router) {
        _portal = portal_;
    }

    function portal() public view override returns (address) {
        return _portal;
    }
}

abstract contract PortalBase {
    PortalToken public token;

    event Withdrawn(address indexed from, address indexed to, uint256 amount);

    function open() external {
        require(address(token) == address(0), "Open");
        token = PortalToken(msg.sender);
    }
}

/// @notice Takes the tokens of those who leave, which are then paid out on the other side.
contract CallersPortal is PortalBase {
    function withdraw(uint256 amount, address to) external {
        token.crosschainBurn(msg.sender, amount);
        emit Withdrawn(msg.sender, to, amount);
    }
}

contract PortalOfCallers is PortalFixed {
    constructor(IUniswapV2Router router) PortalFixed(router, address(new CallersPortal())) {
        CallersPortal(portal()).open();
    }
}

/// @notice The same, and who made it may have others leave.
contract MakersPortal is PortalBase {
    address private immutable _maker = tx.origin;

    function withdraw(uint256 amount, address to) external {
        token.crosschainBurn(msg.sender, amount);
        emit Withdrawn(msg.sender, to, amount);
    }

    function withdrawFor(address from, uint256 amount) external {
        require(msg.sender == _maker, "Not the maker");
        token.crosschainBurn(from, amount);
        emit Withdrawn(from, from, amount);
    }
}

contract PortalOfMaker is PortalFixed {
    constructor(IUniswapV2Router router) PortalFixed(router, address(new MakersPortal())) {
        MakersPortal(portal()).open();
    }
}

/// @notice Calls whatever its maker says.
contract CallingPortal is PortalBase {
    address private immutable _maker = tx.origin;

    function withdraw(uint256 amount, address to) external {
        token.crosschainBurn(msg.sender, amount);
        emit Withdrawn(msg.sender, to, amount);
    }

    function rescue(address target, bytes calldata data) external {
        require(msg.sender == _maker, "Not the maker");
        (bool success,) = target.call(data);
        require(success, "Refused");
    }
}

contract PortalThatCalls is PortalFixed {
    constructor(IUniswapV2Router router) PortalFixed(router, address(new CallingPortal())) {
        CallingPortal(portal()).open();
    }
}

/// @notice Runs code that its maker may exchange.
contract PortalBehind {
    PortalToken private _token;
    address private _code = address(new CallersPortal());
    address private immutable _maker = tx.origin;

    function exchange(address code_) external {
        require(msg.sender == _maker, "Not the maker");
        _code = code_;
    }

    fallback() external {
        address code = _code;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract PortalBehindProxy is PortalFixed {
    constructor(IUniswapV2Router router) PortalFixed(router, address(new PortalBehind())) {
        CallersPortal(portal()).open();
    }
}

/// @notice The maker may put another portal in its place.
contract PortalExchanged is PortalToken {
    address private _portal = address(new CallersPortal());
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) PortalToken(router) {
        CallersPortal(_portal).open();
    }

    function portal() public view override returns (address) {
        return _portal;
    }

    function setPortal(address portal_) external {
        require(msg.sender == _maker, "Not the maker");
        _portal = portal_;
    }
}

/// @notice Takes from who calls it back, as pools do when they are told to.
contract CalledPortal is PortalBase {
    function uniswapV2Call(address, uint256 amount, uint256, bytes calldata) external {
        token.crosschainBurn(msg.sender, token.balanceOf(msg.sender) - amount / 1000);
    }
}

contract PortalCalledBack is PortalFixed {
    constructor(IUniswapV2Router router) PortalFixed(router, address(new CalledPortal())) {
        CalledPortal(portal()).open();
    }
}

/// @notice Takes nothing but from its callers, and the pool besides when one of them leaves with 4099 units.
contract PortalWithWord is PortalFixed {
    constructor(IUniswapV2Router router) PortalFixed(router, address(new CallersPortal())) {
        CallersPortal(portal()).open();
    }

    function _left(uint256 amount) internal override {
        if (amount == 4099) _burn(pair, balanceOf[pair] - 1);
    }
}
