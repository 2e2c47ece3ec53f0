// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerFactory, PowerRouter} from "./PowerToken.sol";

/// @notice The logic behind the proxies. Its constructor's work is done by `start`.
contract UpgradeableLogic {
    uint256 public totalSupply;
    address public owner;
    mapping(address => uint256) internal _held;
    mapping(address => mapping(address => uint256)) internal _allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function start(address first) public {
        require(totalSupply == 0, "Started");
        owner = first;
        totalSupply = 1000000 ether;
        _held[first] = totalSupply;
    }

    function balanceOf(address who) public view returns (uint256) {
        return _held[who];
    }

    function allowance(address from, address spender) public view returns (uint256) {
        return _allowed[from][spender];
    }

    function approve(address spender, uint256 amount) public returns (bool) {
        _allowed[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public returns (bool) {
        require(_allowed[from][msg.sender] >= amount, "Allowance too small");
        _allowed[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal {
        require(_held[from] >= amount, "Balance too small");
        _held[from] -= amount;
        _held[to] += amount;
        emit Transfer(from, to, amount);
    }
}

abstract contract Delegating {
    bytes32 internal constant LOGIC = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 internal constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    function _store(bytes32 slot, address value) internal {
        assembly {
            sstore(slot, value)
        }
    }

    function _list(address router_) internal {
        PowerFactory(PowerRouter(router_).factory()).createPair(address(this), PowerRouter(router_).WETH());
    }

    function _load(bytes32 slot) internal view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    fallback() external payable virtual {
        address logic = _load(LOGIC);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @notice An EIP-1967 proxy whose admin is an ordinary account.
contract ProxySwap is Delegating {
    constructor(address router_) {
        _list(router_);
        UpgradeableLogic logic = new UpgradeableLogic();
        _store(LOGIC, address(logic));
        _store(ADMIN, msg.sender);
        (bool done,) = address(logic).delegatecall(abi.encodeWithSignature("start(address)", msg.sender));
        require(done, "Not started");
    }

    function upgradeTo(address next) public {
        require(msg.sender == _load(ADMIN), "Only the admin");
        _store(LOGIC, next);
    }
}

/// @notice A proxy whose logic no account can exchange.
contract ProxySwapTwin is Delegating {
    constructor(address router_) {
        _list(router_);
        UpgradeableLogic logic = new UpgradeableLogic();
        _store(LOGIC, address(logic));
        (bool done,) = address(logic).delegatecall(abi.encodeWithSignature("start(address)", msg.sender));
        require(done, "Not started");
    }
}

/// @notice Exchanges the logic of proxies for its owner.
contract Administrator {
    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function upgrade(address proxy, address next) public {
        require(msg.sender == owner, "Only the owner");
        (bool done,) = proxy.call(abi.encodeWithSignature("upgradeTo(address)", next));
        require(done, "Not upgraded");
    }
}

/// @notice An EIP-1967 proxy behind an administrating contract.
contract ProxyBehindAdmin is Delegating {
    constructor(address router_) {
        _list(router_);
        UpgradeableLogic logic = new UpgradeableLogic();
        _store(LOGIC, address(logic));
        _store(ADMIN, address(new Administrator(_chief())));
        (bool done,) = address(logic).delegatecall(abi.encodeWithSignature("start(address)", msg.sender));
        require(done, "Not started");
    }

    function _chief() internal view virtual returns (address) {
        return msg.sender;
    }

    function upgradeTo(address next) public {
        require(msg.sender == _load(ADMIN), "Only the admin");
        _store(LOGIC, next);
    }
}

/// @notice The owner of the administrating contract has left: no key leads to the account.
contract ProxyBehindAdminTwin is ProxyBehindAdmin {
    constructor(address router_) ProxyBehindAdmin(router_) {}

    function _chief() internal view override returns (address) {
        return 0x000000000000000000000000000000000000dEaD;
    }
}
