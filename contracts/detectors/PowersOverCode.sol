// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice Its owner can destroy it.
/// @custom:expect kill-switch
/// @custom:ignore hidden-proxy, dynamic-deployment
contract DestructibleToken is DetectorToken {
    function close() public onlyOwner {
        selfdestruct(payable(msg.sender));
    }
}

/// @notice Pays out what it holds, and stays.
/// @custom:ignore kill-switch, native-forwarder
contract DestructibleTokenTwin is DetectorToken {
    function sweep() public onlyOwner {
        payable(msg.sender).transfer(address(this).balance);
    }
}

/// @notice Runs the code at a stored address, which the admin can exchange.
/// @custom:expect hidden-proxy
/// @custom:ignore kill-switch, dynamic-deployment
contract StoredLogic {
    address internal _logic;
    address internal _admin;

    constructor() {
        _admin = msg.sender;
        _logic = msg.sender;
    }

    function upgrade(address next) public {
        require(msg.sender == _admin, "No");
        _logic = next;
    }

    function run(bytes memory data) public {
        address logic = _logic;
        bool done;
        assembly {
            done := delegatecall(gas(), logic, add(data, 32), mload(data), 0, 0)
        }
        require(done, "Failed");
    }
}

/// @notice Calls a stored address, on that contract's own storage.
/// @custom:ignore hidden-proxy, kill-switch
contract StoredLogicTwin {
    address internal _logic;

    constructor() {
        _logic = msg.sender;
    }

    function run(bytes memory data) public {
        address logic = _logic;
        bool done;
        assembly {
            done := call(gas(), logic, 0, add(data, 32), mload(data), 0, 0)
        }
        require(done, "Failed");
    }
}

/// @notice What {DeployingTransfer} makes.
contract DeployedPart {
    address public maker = msg.sender;
}

/// @notice Deploys a contract in each transfer.
/// @custom:expect dynamic-deployment
/// @custom:ignore kill-switch, hidden-proxy
contract DeployingTransfer is DetectorToken {
    DeployedPart public last;

    function _move(address from, address to, uint256 amount) internal override {
        last = new DeployedPart();
        super._move(from, to, amount);
    }
}

/// @notice A factory: deploys on demand, and not in transfers.
/// @custom:ignore dynamic-deployment
contract DeployingTransferTwin is DetectorToken {
    DeployedPart public last;

    function make() public {
        last = new DeployedPart();
    }
}
