// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Erc20} from "../shared/Erc20.sol";

/// @dev Where the stand-ins keep the lists: Base's own address for its policy registry.
address constant REGISTRY = 0x8453000000000000000000000000000000000002;

/// @notice Stand-in for a B20 token of Base, which the chain runs itself: the part of its interface that decides about those who hold it.
/// Interface: base-std, `IB20.sol`.
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract NativeToken is Erc20 {
    enum PausableFeature {
        TRANSFER,
        MINT,
        BURN,
        SEIZE
    }

    bytes32 public constant SENDER_SCOPE = keccak256("TRANSFER_SENDER_POLICY");
    bytes32 public constant RECEIVER_SCOPE = keccak256("TRANSFER_RECEIVER_POLICY");
    bytes32 public constant EXECUTOR_SCOPE = keccak256("TRANSFER_EXECUTOR_POLICY");

    uint256 public supplyCap = type(uint128).max;
    mapping(bytes32 => mapping(address => bool)) public hasRole;
    mapping(bytes32 => uint64) internal _policies;
    bool internal _paused;

    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

    error ContractPaused(PausableFeature feature);
    error PolicyForbids(bytes32 scope, uint64 policyId);
    error UnsupportedPolicyType(bytes32 scope);
    error AccessControlUnauthorizedAccount(address account, bytes32 role);

    constructor(address admin) Erc20("Native Example", "NATIVE", 1_000_000) {
        if (admin != address(0)) _grant(0, admin);
    }

    modifier onlyRole(bytes32 role) {
        if (!hasRole[role][msg.sender]) revert AccessControlUnauthorizedAccount(msg.sender, role);
        _;
    }

    function isPaused(PausableFeature feature) external view returns (bool) {
        return _paused && feature == PausableFeature.TRANSFER;
    }

    function policyId(bytes32 scope) external view returns (uint64) {
        if (scope != SENDER_SCOPE && scope != RECEIVER_SCOPE && scope != EXECUTOR_SCOPE) {
            revert UnsupportedPolicyType(scope);
        }
        return _policies[scope];
    }

    function grantRole(bytes32 role, address account) external onlyRole(0) {
        _grant(role, account);
    }

    function revokeRole(bytes32 role, address account) external onlyRole(0) {
        hasRole[role][account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }

    function updatePolicy(bytes32 scope, uint64 id) external onlyRole(0) {
        _policies[scope] = id;
    }

    function updateSupplyCap(uint256 cap) external onlyRole(0) {
        supplyCap = cap;
    }

    function pause(PausableFeature[] calldata) external onlyRole(keccak256("PAUSE_ROLE")) {
        _paused = true;
    }

    function _grant(bytes32 role, address account) internal {
        hasRole[role][account] = true;
        emit RoleGranted(role, account, msg.sender);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (_paused) revert ContractPaused(PausableFeature.TRANSFER);
        _demand(SENDER_SCOPE, from);
        _demand(RECEIVER_SCOPE, to);
        super._move(from, to, amount);
    }

    function _demand(bytes32 scope, address account) internal view {
        uint64 id = _policies[scope];
        if (id != 0 && !PolicyRegistry(REGISTRY).isAuthorized(id, account)) revert PolicyForbids(scope, id);
    }
}

/// @notice Stand-in for Base's policy registry: lists that any address may make, and only their admin change. Interface: base-std, `IPolicyRegistry.sol`.
/// @custom:ignore kill-switch, hidden-proxy, dynamic-deployment
contract PolicyRegistry {
    enum PolicyType {
        BLOCKLIST,
        ALLOWLIST
    }

    mapping(uint64 => address) public policyAdmin;
    mapping(uint64 => mapping(address => bool)) internal _members;
    uint64 internal _counter;

    error Unauthorized();

    /// @dev The kind stands in the top byte of the number.
    function createPolicy(address admin, PolicyType kind) external returns (uint64 id) {
        _counter += 1;
        id = (uint64(uint8(kind)) << 56) | (_counter + 1);
        policyAdmin[id] = admin;
    }

    function update(uint64 id, bool isMember, address account) external {
        if (msg.sender != policyAdmin[id]) revert Unauthorized();
        _members[id][account] = isMember;
    }

    function renounceAdmin(uint64 id) external {
        if (msg.sender != policyAdmin[id]) revert Unauthorized();
        policyAdmin[id] = address(0);
    }

    function isAuthorized(uint64 id, address account) external view returns (bool) {
        bool isMember = _members[id][account];
        return id >> 56 == uint64(uint8(PolicyType.ALLOWLIST)) ? isMember : !isMember;
    }
}
