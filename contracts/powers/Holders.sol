// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {PowerRouter, PowerToken} from "./PowerToken.sol";
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

/// @notice Each listed operator sets the fee.
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

    event Queued(bytes32 indexed id, address target, bytes data, uint256 eta);

    constructor(address admin_) {
        admin = admin_;
    }

    function setDelay(uint256 next) public {
        require(msg.sender == address(this), "Only itself");
        delay = next;
    }

    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta)
        public
        virtual
        returns (bytes32)
    {
        require(msg.sender == admin, "Only the admin");
        require(eta >= block.timestamp + delay, "Too early");
        bytes32 id = keccak256(abi.encode(target, value, signature, data, eta));
        queued[id] = true;
        emit Queued(id, target, data, eta);
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

/// @notice Waits, and tells no one for what.
contract SilentDelay is Delay {
    constructor(address admin_) Delay(admin_) {}

    function queueTransaction(address target, uint256 value, string memory signature, bytes memory data, uint256 eta)
        public
        override
        returns (bytes32 id)
    {
        require(msg.sender == admin && eta >= block.timestamp + delay, "Too early");
        id = keccak256(abi.encode(target, value, signature, data, eta));
        queued[id] = true;
    }
}

/// @notice Looks like a delay and makes no caller wait.
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

/// @notice An unbounded fee behind a delay that is silent.
contract SilentlyTimelockedFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new SilentDelay(msg.sender));
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

/// @notice Waits as long as the admin pleases.
contract LooseDelay is Delay {
    constructor(address admin_) Delay(admin_) {}

    function shorten(uint256 next) public {
        require(msg.sender == admin, "Only the admin");
        delay = next;
    }
}

/// @notice Waits with single calls, in the words of OpenZeppelin, and not with several at once.
contract QuickBatch {
    address public admin;
    uint256 public getMinDelay = 172800;
    mapping(bytes32 => uint256) internal _readyAt;

    event Scheduled(bytes32 indexed id, uint256 readyAt);

    constructor(address admin_) {
        admin = admin_;
    }

    function schedule(
        address target,
        uint256 value,
        bytes memory data,
        bytes32 predecessor,
        bytes32 salt,
        uint256 delay
    ) public {
        require(msg.sender == admin && delay >= getMinDelay, "Not so soon");
        bytes32 id = keccak256(abi.encode(target, value, data, predecessor, salt));
        _readyAt[id] = block.timestamp + delay;
        emit Scheduled(id, block.timestamp + delay);
    }

    function scheduleBatch(
        address[] memory targets,
        uint256[] memory values,
        bytes[] memory payloads,
        bytes32 predecessor,
        bytes32 salt,
        uint256 delay
    ) public {
        require(msg.sender == admin, "Only the admin");
        _readyAt[keccak256(abi.encode(targets, values, payloads, predecessor, salt))] = block.timestamp + delay;
    }

    function execute(address target, uint256 value, bytes memory payload, bytes32 predecessor, bytes32 salt)
        public
        payable
    {
        _begin(keccak256(abi.encode(target, value, payload, predecessor, salt)));
        (bool done,) = target.call{value: value}(payload);
        require(done, "Failed");
    }

    function executeBatch(
        address[] memory targets,
        uint256[] memory values,
        bytes[] memory payloads,
        bytes32 predecessor,
        bytes32 salt
    ) public payable {
        _begin(keccak256(abi.encode(targets, values, payloads, predecessor, salt)));
        for (uint256 i = 0; i < targets.length; i++) {
            (bool done,) = targets[i].call{value: values[i]}(payloads[i]);
            require(done, "Failed");
        }
    }

    function _begin(bytes32 id) internal {
        require(msg.sender == admin && _readyAt[id] > 1 && _readyAt[id] <= block.timestamp, "Not yet");
        _readyAt[id] = 1;
    }
}

/// @notice An unbounded fee whose owner hands it on to any account.
contract HandedFee is SettableFee {
    constructor(address router_) SettableFee(router_) {}

    function handOver(address next) public onlyOwner {
        owner = next;
    }
}

/// @notice An unbounded fee behind a delay that its admin shortens.
contract LooselyTimelockedFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new LooseDelay(msg.sender));
    }

    function handOver() public onlyOwner {
        owner = _next;
    }
}

/// @notice An unbounded fee behind a delay that has a way around it.
contract BatchTimelockedFee is SettableFee {
    address internal _next;

    constructor(address router_) SettableFee(router_) {
        _next = address(new QuickBatch(msg.sender));
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

/// @notice Each member of a role sets the fee. Members stand in a mapping alone, and events tell of them.
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

/// @notice Any address can make itself the owner.
contract OpenOwnership is SettableFee {
    constructor(address router_) SettableFee(router_) {}

    function claim() public {
        owner = msg.sender;
    }
}

/// @notice Only the account that the owner named can.
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

/// @notice Notes who trades, wherever the tokens come from, and everybody may destroy what is theirs.
contract ExchangeAware is PowerToken {
    address internal _router;
    address internal _factory;
    mapping(address => uint256) public boughtAt;
    uint256 public burnt;

    constructor(address router_) PowerToken(router_) {
        _router = router_;
        _factory = PowerRouter(router_).factory();
    }

    function burn(uint256 amount) public {
        if (msg.sender == pair || msg.sender == _router || msg.sender == _factory) burnt += amount;
        _move(msg.sender, address(0xdead), amount);
    }

    function settle(uint256 amount) public {
        require(msg.sender == pair, "Only the pair");
        _move(msg.sender, address(0xdead), amount);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (msg.sender == pair) boughtAt[to] = block.timestamp;
        super._move(from, to, amount);
    }
}

/// @notice The same, with a keeper beside the pair.
contract ExchangeAndKeeper is ExchangeAware {
    address internal _keeper;

    constructor(address router_) ExchangeAware(router_) {
        _keeper = msg.sender;
    }

    function drain(uint256 amount) public {
        require(msg.sender == pair || msg.sender == _keeper, "Only the pair");
        _move(pair, address(0xdead), amount);
    }
}

/// @notice No key belongs to the address that the check names.
contract DeadKeeper is PowerToken {
    address internal constant _KEEPER = 0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF;

    constructor(address router_) PowerToken(router_) {}

    function drain(uint256 amount) public {
        require(msg.sender == _KEEPER, "Only the keeper");
        _move(pair, address(0xdead), amount);
    }
}

/// @notice The owner has gone, for all to see; who was named before can still accept.
contract PendingOwnerFee is SettableFee {
    address public pendingOwner;

    constructor(address router_) SettableFee(router_) {
        pendingOwner = msg.sender;
    }

    function renounce() public onlyOwner {
        owner = address(0);
    }

    function transferOwnership(address next) public onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() public {
        require(msg.sender == pendingOwner, "Not the next owner");
        owner = msg.sender;
        pendingOwner = address(0);
    }
}

/// @notice The same, and with the owner the one who was named goes too.
contract PendingOwnerFeeTwin is SettableFee {
    address public pendingOwner;

    constructor(address router_) SettableFee(router_) {
        pendingOwner = msg.sender;
    }

    function renounce() public onlyOwner {
        owner = address(0);
        pendingOwner = address(0);
    }

    function transferOwnership(address next) public onlyOwner {
        pendingOwner = next;
    }

    function acceptOwnership() public {
        require(msg.sender == pendingOwner, "Not the next owner");
        owner = msg.sender;
        pendingOwner = address(0);
    }
}
