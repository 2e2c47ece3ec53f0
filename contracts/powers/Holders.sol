// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";
import {SettableFee} from "./Fees.sol";

/// @notice An unbounded fee whose owner has gone.
contract RenouncedFee is SettableFee {
    constructor(address router_) SettableFee(router_) {}

    function renounce() public onlyOwner {
        owner = address(0);
    }
}

/// @notice The owner has gone, for all to see; a second account sets the fee.
contract FakeRenouncedFee is PowerToken {
    uint256 internal _fee;
    address internal _other;

    constructor(address router_) PowerToken(router_) {
        _other = msg.sender;
    }

    function renounce() public onlyOwner {
        owner = address(0);
    }

    function tune(uint256 next) public {
        require(msg.sender == _other, "No");
        _fee = next;
    }

    function _feePercent(address, address to) internal view override returns (uint256) {
        return to == pair ? _fee : 0;
    }
}

/// @notice Whoever is listed as an operator sets the fee.
contract OperatorFee is PowerToken {
    uint256 public fee;
    mapping(address => bool) public operators;

    constructor(address router_) PowerToken(router_) {
        operators[msg.sender] = true;
    }

    function setOperator(address account, bool next) public onlyOwner {
        operators[account] = next;
    }

    function setFee(uint256 next) public {
        require(operators[msg.sender], "Only operators");
        fee = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}

/// @notice Does nothing before it was announced for two days.
contract Delay {
    address public admin;
    uint256 public delay = 172800;
    mapping(bytes32 => bool) public queued;

    constructor(address admin_) {
        admin = admin_;
    }

    function setDelay(uint256 next) public {
        require(msg.sender == address(this), "Only itself");
        delay = next;
    }

    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta)
        public
        returns (bytes32)
    {
        require(msg.sender == admin, "Only the admin");
        require(eta >= block.timestamp + delay, "Too early");
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        queued[id] = true;
        return id;
    }

    function executeTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta)
        public
        payable
        returns (bytes memory)
    {
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        require(msg.sender == admin && queued[id] && block.timestamp >= eta, "Not yet");
        queued[id] = false;
        (bool done, bytes memory answer) = target.call{value: value}(data);
        require(done, "Failed");
        return answer;
    }
}

/// @notice Looks like a delay and makes nobody wait.
contract NoDelay {
    address public admin;
    uint256 public delay = 172800;

    constructor(address admin_) {
        admin = admin_;
    }

    function queueTransaction(address, uint256, string memory, bytes memory, uint256) public view returns (bytes32) {
        require(msg.sender == admin, "Only the admin");
        return bytes32(0);
    }

    function executeTransaction(address target, uint256 value, string memory, bytes memory data, uint256)
        public
        payable
        returns (bytes memory)
    {
        require(msg.sender == admin, "Only the admin");
        (bool done, bytes memory answer) = target.call{value: value}(data);
        require(done, "Failed");
        return answer;
    }
}

/// @notice An unbounded fee behind a delay of two days.
contract TimelockedFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new Delay(msg.sender));
    }

    function handOver() public onlyOwner {
        owner = _next;
    }
}

/// @notice An unbounded fee behind what only looks like a delay.
contract FakeTimelockedFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new NoDelay(msg.sender));
    }

    function handOver() public onlyOwner {
        owner = _next;
    }
}

/// @notice The storage of a Safe whose three owners must sign two by two, in front of the Safe's logic.
contract SafeProxy {
    address internal _singleton;
    mapping(address => address) internal _modules;
    mapping(address => address) internal _owners;
    uint256 internal _ownerCount = 3;
    uint256 internal _threshold = 2;

    constructor(address singleton) {
        _singleton = singleton;
        _modules[address(1)] = address(1);
    }

    fallback() external payable {
        address singleton = _singleton;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), singleton, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @notice An unbounded fee in the hands of a Safe of version 1.4.1.
contract MultisigFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new SafeProxy(0x41675C099F32341bf84BFc5382aF534df5C7461a));
    }

    function handOver() public onlyOwner {
        owner = _next;
    }
}

/// @notice The same with other logic behind the proxy: it may do anything.
contract FakeMultisigFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new SafeProxy(address(this)));
    }

    function handOver() public onlyOwner {
        owner = _next;
    }
}

/// @notice Whoever has a role sets the fee. Members stand in a mapping alone, and events tell of them.
contract RoleFee is PowerToken {
    bytes32 public constant SETTER = keccak256("SETTER");
    uint256 public fee;
    mapping(bytes32 => mapping(address => bool)) internal _members;

    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);

    constructor(address router_) PowerToken(router_) {
        address setter = address(uint160(uint256(keccak256("setter"))));
        _members[SETTER][setter] = true;
        emit RoleGranted(SETTER, setter, msg.sender);
    }

    function grantRole(bytes32 role, address account) public onlyOwner {
        _members[role][account] = true;
        emit RoleGranted(role, account, msg.sender);
    }

    function renounce() public onlyOwner {
        owner = address(0);
    }

    function setFee(uint256 next) public {
        require(_members[SETTER][msg.sender], "Only members");
        fee = next;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}

/// @notice The same, and the role was taken back.
contract RevokedRoleFee is RoleFee {
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

    constructor(address router_) RoleFee(router_) {
        address setter = address(uint160(uint256(keccak256("setter"))));
        _members[SETTER][setter] = false;
        emit RoleRevoked(SETTER, setter, msg.sender);
    }
}

/// @notice Anybody can make himself the owner.
contract OpenOwnership is SettableFee {
    constructor(address router_) SettableFee(router_) {}

    function claim() public {
        owner = msg.sender;
    }
}

/// @notice Only whom the owner named can.
contract OpenOwnershipTwin is PowerToken {
    address public next;
    uint256 public fee;

    constructor(address router_) PowerToken(router_) {}

    function name_(address account) public onlyOwner {
        next = account;
    }

    function claim() public {
        require(msg.sender == next, "Not named");
        owner = msg.sender;
    }

    function setFee(uint256 percent) public onlyOwner {
        require(percent <= 5, "Too much");
        fee = percent;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? fee : 0;
    }
}
