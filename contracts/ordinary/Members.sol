// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HiddenProxyLogic} from "../HiddenProxyLogic.sol";
import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {ComputedBalances} from "./ComputedBalances.sol";
import {Listed} from "./Listed.sol";

/// @notice Those on a list issue tokens.
abstract contract IssuedByMembers is Listed {
    mapping(address => bool) public isMember;

    constructor(IUniswapV2Router router) Listed(router) {}

    function issue(address to, uint256 amount) external {
        require(isMember[msg.sender], "not a member");
        _mint(to, amount);
    }
}

/// @notice Those who have one role of several stop what others sell.
abstract contract StoppedByRole is Listed {
    struct Role {
        mapping(address => bool) members;
        bytes32 admin;
    }

    bytes32 internal constant GUARDIAN = keccak256("guardian");
    mapping(bytes32 => Role) internal _roles;
    mapping(address => bool) private _isStopped;

    constructor(IUniswapV2Router router) Listed(router) {}

    modifier onlyRole(bytes32 role) {
        require(_roles[role].members[msg.sender], "not of that role");
        _;
    }

    function stop(address account, bool isStopped) external onlyRole(GUARDIAN) {
        _isStopped[account] = isStopped;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_isStopped[from], "stopped");
        super._move(from, to, amount);
    }
}

// ---------------------------------------------------------------- honest

/// @notice Who could give roles gave none, and left.
contract RolesNeverGiven is StoppedByRole {
    constructor(IUniswapV2Router router) StoppedByRole(router) {
        _roles[0].members[msg.sender] = true;
        _roles[0].members[msg.sender] = false;
    }

    function give(bytes32 role, address account) external onlyRole(_roles[role].admin) {
        _roles[role].members[account] = true;
    }
}

/// @notice Who could name members named none, and left.
contract MembersNeverNamed is IssuedByMembers {
    address public owner = msg.sender;

    constructor(IUniswapV2Router router) IssuedByMembers(router) {}

    function appoint(address member, bool isOne) external {
        require(msg.sender == owner, "not the owner");
        isMember[member] = isOne;
    }

    function renounceOwnership() external {
        require(msg.sender == owner, "not the owner");
        owner = address(0);
    }
}

/// @notice The volume of all sales stands in a wide field beside the last amount.
contract VolumeInWideField is Listed {
    address private immutable _maker = msg.sender;
    uint112 public volume;
    uint96 public last;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair || from == _maker) return;
        volume += uint112(amount) * 8;
        last = uint96(amount);
    }
}

/// @notice An account's balance, what it sent how often, and when it was first met stand in one word.
contract AccountsInOneWord is ComputedBalances {
    string public constant name = "Words";
    string public constant symbol = "WRDS";
    uint256 public constant totalSupply = 1_000_000e18;

    struct Account {
        uint128 balance;
        uint32 transfers;
        uint64 since;
    }

    mapping(address => Account) private _accounts;

    constructor(IUniswapV2Router router) ComputedBalances(router) {
        _accounts[msg.sender].balance = uint128(totalSupply);
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function balanceOf(address account) public view override returns (uint256) {
        return _accounts[account].balance;
    }

    function _move(address from, address to, uint256 amount) internal override {
        Account memory giver = _accounts[from];
        require(giver.balance >= amount, "too little");
        _accounts[from] = Account(giver.balance - uint128(amount), giver.transfers + 1, giver.since);
        Account memory taker = _accounts[to];
        uint64 since = taker.since == 0 ? uint64(block.timestamp) : taker.since;
        _accounts[to] = Account(taker.balance + uint128(amount), taker.transfers, since);
        emit Transfer(from, to, amount);
    }
}

/// @notice A proxy whose administrator exchanges the code in its fallback (EIP-1967).
abstract contract AdministeredProxy {
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;
    bytes32 private constant LOGIC = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address admin) {
        address logic = address(new HiddenProxyLogic());
        assembly {
            sstore(ADMIN, admin)
            sstore(LOGIC, logic)
        }
        bytes memory setup =
            abi.encodeCall(HiddenProxyLogic.initialize, ("Orchard", "ORCH", msg.sender, 1_000_000e18));
        (bool done,) = logic.delegatecall(setup);
        require(done, "not started");
    }

    fallback() external payable {
        address admin;
        assembly {
            admin := sload(ADMIN)
        }
        if (msg.sender == admin) {
            address next = abi.decode(msg.data[4:], (address));
            assembly {
                sstore(LOGIC, next)
            }
            return;
        }
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(LOGIC), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @notice No key belongs to the administrator.
contract AdminGone is AdministeredProxy {
    constructor(IUniswapV2Router) AdministeredProxy(0x000000000000000000000000000000000000dEaD) {}
}

// ---------------------------------------------------------------- what looks like it

/// @notice Who has the role was said when it was made, and nowhere else.
contract RolesOfConstructor is StoppedByRole {
    constructor(IUniswapV2Router router) StoppedByRole(router) {
        _roles[GUARDIAN].members[address(0xC0FFEE)] = true;
    }
}

/// @notice The constructor named the members, and no function tells or changes who they are.
contract MembersOfConstructor is IssuedByMembers {
    constructor(IUniswapV2Router router) IssuedByMembers(router) {
        isMember[msg.sender] = true;
    }
}

/// @notice The volume of all sales stands in a narrow field beside the last amount, and fills it.
contract VolumeInNarrowField is Listed {
    address private immutable _maker = msg.sender;
    uint80 public volume;
    uint96 public last;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair || from == _maker) return;
        volume += uint80(amount) * 8;
        last = uint96(amount);
    }
}

/// @notice The administrator is another wallet.
contract AdminStays is AdministeredProxy {
    constructor(IUniswapV2Router) AdministeredProxy(0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc) {}
}

/// @notice Its maker writes any word.
contract WritesAnyWord is Listed {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function repair(bytes32 place, bytes32 value) external {
        require(msg.sender == _maker, "not the maker");
        assembly {
            sstore(place, value)
        }
    }
}
