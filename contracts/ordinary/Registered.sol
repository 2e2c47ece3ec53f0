// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IRegistry {
    function getInterfaceImplementer(address account, bytes32 kind) external view returns (address);
}

interface IHook {
    function tokensToSend(address operator, address from, address to, uint256 amount, bytes calldata data, bytes calldata more) external;
    function tokensReceived(address operator, address from, address to, uint256 amount, bytes calldata data, bytes calldata more) external;
}

/// @notice Says for each account what is to be told of it (ERC-1820): the account says so itself, or its manager.
contract HookRegistry {
    mapping(address => mapping(bytes32 => address)) private _implementers;
    mapping(address => address) private _managers;

    event InterfaceImplementerSet(address indexed account, bytes32 indexed kind, address indexed implementer);
    event ManagerChanged(address indexed account, address indexed manager);

    function getInterfaceImplementer(address account, bytes32 kind) external view returns (address) {
        return _implementers[account == address(0) ? msg.sender : account][kind];
    }

    function setInterfaceImplementer(address account_, bytes32 kind, address implementer) external {
        address account = account_ == address(0) ? msg.sender : account_;
        require(_mayManage(account), "Not the manager");
        _implementers[account][kind] = implementer;
        emit InterfaceImplementerSet(account, kind, implementer);
    }

    function setManager(address account, address manager) external {
        require(_mayManage(account), "Not the manager");
        _managers[account] = manager == account ? address(0) : manager;
        emit ManagerChanged(account, manager);
    }

    function getManager(address account) public view returns (address) {
        address manager = _managers[account];
        return manager == address(0) ? account : manager;
    }

    function _mayManage(address account) internal view virtual returns (bool) {
        return getManager(account) == msg.sender;
    }
}

/// @notice Its maker manages all accounts.
contract MakersRegistry is HookRegistry {
    address private immutable _maker = tx.origin;

    function _mayManage(address account) internal view override returns (bool) {
        return msg.sender == _maker || super._mayManage(account);
    }
}

/// @notice Tells giver and receiver of each transfer where they asked for it, and has operators that holders name (ERC-777).
abstract contract Hooks is Listed {
    bytes32 private constant SENDER = keccak256("ERC777TokensSender");
    bytes32 private constant RECIPIENT = keccak256("ERC777TokensRecipient");

    IRegistry private immutable _registry;
    mapping(address => mapping(address => bool)) private _operators;

    event AuthorizedOperator(address indexed operator, address indexed holder);
    event RevokedOperator(address indexed operator, address indexed holder);

    constructor(IUniswapV2Router router, address registry) Listed(router) {
        _registry = IRegistry(registry);
    }

    function granularity() external pure returns (uint256) {
        return 1;
    }

    function isOperatorFor(address operator, address holder) public view virtual returns (bool) {
        return operator == holder || _operators[holder][operator];
    }

    function authorizeOperator(address operator) external {
        require(operator != msg.sender, "Oneself");
        _operators[msg.sender][operator] = true;
        emit AuthorizedOperator(operator, msg.sender);
    }

    function revokeOperator(address operator) external {
        require(operator != msg.sender, "Oneself");
        _operators[msg.sender][operator] = false;
        emit RevokedOperator(operator, msg.sender);
    }

    function operatorSend(address from, address to, uint256 amount) external {
        require(isOperatorFor(msg.sender, from), "No operator");
        _move(from, to, amount);
    }

    function operatorBurn(address from, uint256 amount) external {
        require(isOperatorFor(msg.sender, from), "No operator");
        address hook = _hookOf(from, SENDER);
        if (hook != address(0)) IHook(hook).tokensToSend(msg.sender, from, address(0), amount, "", "");
        _burn(from, amount);
    }

    function _move(address from, address to, uint256 amount) internal virtual override {
        address hook = _hookOf(_giverOf(from), SENDER);
        if (hook != address(0)) IHook(hook).tokensToSend(msg.sender, from, to, amount, "", "");
        super._move(from, to, amount);
        hook = _hookOf(to, RECIPIENT);
        if (hook != address(0)) IHook(hook).tokensReceived(msg.sender, from, to, amount, "", "");
    }

    function _giverOf(address from) internal view virtual returns (address) {
        return from;
    }

    function _hookOf(address account, bytes32 kind) private view returns (address hook) {
        if (address(_registry).code.length > 0) hook = _registry.getInterfaceImplementer(account, kind);
    }
}

/// @notice Asks the registry that is the same on all chains, and is not everywhere yet.
contract HooksOfHolders is Hooks {
    constructor(IUniswapV2Router router) Hooks(router, 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24) {}
}

/// @notice Asks a registry that is there.
contract HooksInRegistry is Hooks {
    constructor(IUniswapV2Router router) Hooks(router, address(new HookRegistry())) {}
}

/// @notice Asks what is not there yet, and may be anything.
contract HooksUnborn is Hooks {
    constructor(IUniswapV2Router router) Hooks(router, 0x1820A4b7618BDE71dcE8cdC73aab6c95905faD25) {}
}

/// @notice Asks at each transfer what its maker wants to be told.
contract HooksOfMaker is Hooks {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Hooks(router, address(new HookRegistry())) {}

    function _giverOf(address) internal view override returns (address) {
        return _maker;
    }
}

/// @notice The same in the registry that is not everywhere yet.
contract HooksOfMakerLater is Hooks {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Hooks(router, 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24) {}

    function _giverOf(address) internal view override returns (address) {
        return _maker;
    }
}

/// @notice Its maker says in the registry what is to be told of each account.
contract HooksByMaker is Hooks {
    constructor(IUniswapV2Router router) Hooks(router, address(new MakersRegistry())) {}
}

/// @notice One operator was named by no holder.
contract HooksWithOperator is Hooks {
    bytes32 private immutable _seal;

    constructor(IUniswapV2Router router) Hooks(router, 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24) {
        _seal = keccak256(abi.encodePacked(msg.sender, address(this)));
    }

    function isOperatorFor(address operator, address holder) public view override returns (bool) {
        return keccak256(abi.encodePacked(operator, address(this))) == _seal || super.isOperatorFor(operator, holder);
    }
}
