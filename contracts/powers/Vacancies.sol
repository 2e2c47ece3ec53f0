// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Closing} from "./Chains.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice No account is named yet that could close sales: an admin names a keeper, and any address an admin.
contract VacantKeeper is Closing {
    address public admin;
    address public keeper;

    constructor(address router_) Closing(router_) {}

    function init(address first) external {
        require(_isVacant(), "Named");
        admin = first;
    }

    function _isVacant() internal view virtual returns (bool) {
        return admin == address(0);
    }

    function setKeeper(address next) external {
        require(msg.sender == admin, "Only the admin");
        keeper = next;
    }

    function close() external {
        require(msg.sender == keeper, "Only the keeper");
        _closed = true;
    }
}

/// @notice The admin would have to be named by itself.
contract VacantKeeperTwin is VacantKeeper {
    constructor(address router_) VacantKeeper(router_) {}

    function _isVacant() internal view override returns (bool) {
        return msg.sender == admin;
    }
}

/// @notice The owner can fill one seat after the other, down to the one that closes sales.
contract VacantSeats is Closing {
    address public manager;
    address public deputy;
    address public clerk;

    constructor(address router_) Closing(router_) {}

    function setManager(address next) external onlyOwner {
        manager = next;
    }

    function setDeputy(address next) external {
        require(msg.sender == manager, "Only the manager");
        deputy = next;
    }

    function setClerk(address next) external {
        require(msg.sender == deputy, "Only the deputy");
        clerk = next;
    }

    function close() external {
        require(msg.sender == clerk, "Only the clerk");
        _closed = true;
    }
}

/// @notice Any address can take the office that admits guards.
contract VacantOffice is PowerToken {
    address public office;
    mapping(address => bool) public isGuard;
    mapping(address => bool) public isFrozen;

    constructor(address router_) PowerToken(router_) {}

    function take() external {
        require(office == address(0), "Taken");
        office = msg.sender;
    }

    function admit(address guard) external {
        require(msg.sender == office, "Only the office");
        isGuard[guard] = true;
    }

    function freeze(address holder) external {
        require(isGuard[msg.sender], "Only guards");
        isFrozen[holder] = true;
    }

    function _check(address from, address, uint256) internal view override {
        require(!isFrozen[from], "Frozen");
    }
}

/// @notice The guard has to be a contract, which any address can make.
contract VacantContract is PowerToken {
    address public guard;
    mapping(address => bool) public isFrozen;

    constructor(address router_) PowerToken(router_) {}

    function setGuard(address first) external {
        uint256 size;
        assembly {
            size := extcodesize(first)
        }
        require(guard == address(0) && size > 0, "No contract");
        guard = first;
    }

    function freeze(address holder) external {
        require(msg.sender == guard, "Only the guard");
        isFrozen[holder] = true;
    }

    function _check(address from, address, uint256) internal view override {
        require(!isFrozen[from], "Frozen");
    }
}

interface VacancyJudge {
    function isFine(address holder) external view returns (bool);
}

/// @notice Any address can name, once, the contract that sales ask.
contract VacantJudge is PowerToken {
    address public judge;

    constructor(address router_) PowerToken(router_) {}

    function setJudge(address first) external {
        require(judge == address(0), "Named");
        judge = first;
    }

    function _check(address from, address to, uint256) internal view override {
        require(!_isSell(from, to) || judge == address(0) || VacancyJudge(judge).isFine(from), "Judged");
    }
}

/// @notice Any address can name, once, the account that gets the points of a sale.
contract VacantJudgeTwin is PowerToken {
    address public judge;
    mapping(address => uint256) public points;

    constructor(address router_) PowerToken(router_) {}

    function setJudge(address first) external {
        require(judge == address(0), "Named");
        judge = first;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (judge != address(0)) points[judge] += 1;
    }
}

/// @notice The keeper's seat is for a contract of a certain code, which is not deployed yet.
contract SeatForCode is Closing {
    address public keeper;

    constructor(address router_) Closing(router_) {}

    function take() external {
        require(keeper == address(0) && _mayTake(msg.sender), "Not yours");
        keeper = msg.sender;
    }

    function _mayTake(address account) internal view virtual returns (bool) {
        bytes32 code;
        assembly {
            code := extcodehash(account)
        }
        return code == keccak256("a code of its own");
    }

    function close() external {
        require(msg.sender == keeper, "Only the keeper");
        _closed = true;
    }
}

/// @notice The seat could be taken by its own holder alone.
contract SeatForCodeTwin is SeatForCode {
    constructor(address router_) SeatForCode(router_) {}

    function _mayTake(address account) internal view override returns (bool) {
        return account == keeper;
    }
}
