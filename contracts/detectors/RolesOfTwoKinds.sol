// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice A role has one member or a list of them; who has it may burn what others hold.
abstract contract RolesOfTwoKinds is DetectorToken {
    enum Kind { Invalid, Exclusive, Shared }

    struct Role {
        Kind kind;
        address member;
        mapping(address => bool) members;
    }

    mapping(uint256 => Role) internal _roles;

    modifier onlyRole(uint256 id) {
        require(_holds(id, msg.sender), "Not of that role");
        _;
    }

    constructor() {
        _roles[0].kind = Kind.Exclusive;
        _roles[0].member = msg.sender;
        _roles[1].kind = Kind.Shared;
    }

    function addMember(uint256 id, address account) public onlyRole(0) {
        _roles[id].members[account] = true;
    }

    function burnFrom(address account, uint256 amount) public onlyRole(1) {
        require(_balances[account] >= amount, "Balance too low");
        _balances[account] -= amount;
        totalSupply -= amount;
    }

    function _holds(uint256 id, address account) internal view virtual returns (bool) {
        Role storage role = _roles[id];
        if (role.kind == Kind.Exclusive) return role.member == account;
        if (role.kind == Kind.Shared) return role.members[account];
        revert("No such role");
    }
}

/// @notice Both ways ask who calls.
/// @custom:expect balance-seizure
contract BurnsByRole is RolesOfTwoKinds {}

/// @notice A third way asks nothing of the caller.
/// @custom:expect balance-seizure
contract BurnsByAnyone is RolesOfTwoKinds {
    function _holds(uint256 id, address account) internal view override returns (bool) {
        return _roles[id].kind == Kind.Shared && id > 0 ? totalSupply > 0 : super._holds(id, account);
    }
}
