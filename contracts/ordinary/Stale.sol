// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

// Tokens whose sales ask for what no word of theirs tells: an answer of the block before is old.

abstract contract StaleToken is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function _onSale() internal view virtual;

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (to == pair) _onSale();
        super._move(from, to, amount);
    }
}

/// @notice Stops selling when many coins have left the wrapped coin.
contract StaleWeth is StaleToken {
    address private immutable weth;
    uint256 private immutable least;

    constructor(IUniswapV2Router router) StaleToken(router) {
        weth = router.WETH();
        least = router.WETH().balance - 1000 ether;
    }

    function _onSale() internal view override {
        require(weth.balance >= least, "Low");
    }
}

/// @notice Stops selling when the router has coins.
contract StaleRouterCoins is StaleToken {
    address private immutable router_;

    constructor(IUniswapV2Router router) StaleToken(router) {
        router_ = address(router);
    }

    function _onSale() internal view override {
        require(router_.balance < 1 ether, "Closed");
    }
}

contract StaleL1Stub {
    uint64 public number;
}

/// @notice Sells by the height of the chain below.
contract StaleL1 is StaleToken {
    StaleL1Stub private constant L1 = StaleL1Stub(0x4200000000000000000000000000000000000015);

    constructor(IUniswapV2Router router) StaleToken(router) {}

    function _onSale() internal view override {
        require(L1.number() % 64 < 32, "Not now");
    }
}

/// @notice Sells only while blocks are cheap.
contract StaleBaseFee is StaleToken {
    mapping(uint256 => bool) private hot;

    constructor(IUniswapV2Router router) StaleToken(router) {
        for (uint256 i = 3; i < 9; i++) hot[i] = true;
    }

    function _onSale() internal view override {
        require(!hot[block.basefee / 1e9], "Busy");
    }
}

/// @notice Members of its role stand in its events alone.
contract StaleRoles is ERC20, AccessControl {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    constructor(IUniswapV2Router router) ERC20("Orchard", "ORCH") {
        IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
        _mint(msg.sender, 1_000_000e18);
    }

    function mint(address to, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(to, amount);
    }
}

/// @notice Takes what it was allowed of those that its maker has noted.
contract StaleClaims {
    address private immutable owner = msg.sender;
    ERC20 private immutable coin;
    mapping(address => uint256) private due;

    constructor(ERC20 coin_) {
        coin = coin_;
    }

    function note(address of_, uint256 amount) external {
        require(msg.sender == owner, "Not the owner");
        due[of_] = amount;
    }

    function claim() external {
        uint256 amount = due[msg.sender];
        if (amount > 0) coin.transferFrom(msg.sender, owner, amount);
    }
}
