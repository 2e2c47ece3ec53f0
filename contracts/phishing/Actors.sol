// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {IToken} from "./Interfaces.sol";
import {Operated} from "./Pullers.sol";

/// @notice Obeys a contract, which obeys its maker.
contract ContractOperator {
    address internal immutable _owner = tx.origin;
    OperatedByContract internal immutable _puller = OperatedByContract(msg.sender);

    function run(IToken token, address from, uint256 amount) public {
        require(msg.sender == _owner, "No");
        _puller.pull(token, from, amount);
        token.transfer(_owner, amount);
    }
}

contract OperatedByContract {
    address internal immutable _operator = address(new ContractOperator());

    function pull(IToken token, address from, uint256 amount) public {
        require(msg.sender == _operator, "No");
        token.transferFrom(from, msg.sender, amount);
    }
}

/// @notice Obeys a contract that takes of its own callers alone, and credits them (the shape of a transfer proxy).
contract TransferProxy {
    address internal immutable _vault = address(new ProxiedVault());

    function claim(IToken token, address from, address to, uint256 amount) public {
        require(msg.sender == _vault, "No");
        token.transferFrom(from, to, amount);
    }
}

contract ProxiedVault {
    TransferProxy internal immutable _proxy = TransferProxy(msg.sender);
    mapping(address => mapping(address => uint256)) public deposited;

    function deposit(IToken token, uint256 amount) public {
        deposited[address(token)][msg.sender] += amount;
        _proxy.claim(token, msg.sender, address(this), amount);
    }

    function withdraw(IToken token, uint256 amount) public {
        require(deposited[address(token)][msg.sender] >= amount, "Too much");
        deposited[address(token)][msg.sender] -= amount;
        token.transfer(msg.sender, amount);
    }
}

/// @notice Runs the code of whatever its operator has set.
contract SettableLibrary is Operated {
    address internal _library;

    function setLibrary(address library_) public onlyOperator {
        _library = library_;
    }

    function work(bytes memory data) public onlyOperator {
        (bool done, ) = _library.delegatecall(data);
        require(done, "Failed");
    }
}

/// @notice Two weeks lie between joining and theft.
contract PatientPuller is Operated {
    mapping(address => uint256) internal _since;

    function join() public {
        _since[msg.sender] = block.timestamp;
    }

    function harvest(IToken token, address from) public onlyOperator {
        require(_since[from] != 0 && block.timestamp > _since[from] + 14 days, "Early");
        token.transferFrom(from, _operator, token.balanceOf(from));
    }
}

/// @notice Charges once a month no more than its customer has agreed to.
contract CappedSubscription is Operated {
    IToken internal constant USDC = IToken(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    mapping(address => uint256) public capOf;
    mapping(address => uint256) public paidAt;

    function subscribe(uint256 cap) public {
        capOf[msg.sender] = cap;
    }

    function cancel() public {
        delete capOf[msg.sender];
    }

    function charge(address customer, uint256 amount) public {
        require(amount <= capOf[customer] && block.timestamp >= paidAt[customer] + 30 days, "Not due");
        paidAt[customer] = block.timestamp;
        USDC.transferFrom(customer, _operator, amount);
    }
}
