// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Governor} from "@openzeppelin/contracts/governance/Governor.sol";
import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {GovernorCountingSimple} from "@openzeppelin/contracts/governance/extensions/GovernorCountingSimple.sol";
import {GovernorTimelockControl} from "@openzeppelin/contracts/governance/extensions/GovernorTimelockControl.sol";
import {GovernorVotes} from "@openzeppelin/contracts/governance/extensions/GovernorVotes.sol";
import {IVotes} from "@openzeppelin/contracts/governance/utils/IVotes.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {IUniswapV2Factory, IUniswapV2Router} from "../shared/UniswapV2.sol";

/// @notice Holders decide by votes, after two days of waiting.
contract Assembly is Governor, GovernorCountingSimple, GovernorVotes, GovernorTimelockControl {
    constructor(IVotes token, TimelockController timelock) Governor("Assembly") GovernorVotes(token) GovernorTimelockControl(timelock) {}

    function votingDelay() public pure override returns (uint256) {
        return 7200;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 50400;
    }

    function quorum(uint256) public pure override returns (uint256) {
        return 40_000e18;
    }

    function state(uint256 id) public view override(Governor, GovernorTimelockControl) returns (ProposalState) {
        return super.state(id);
    }

    function proposalNeedsQueuing(uint256 id) public view override(Governor, GovernorTimelockControl) returns (bool) {
        return super.proposalNeedsQueuing(id);
    }

    function _queueOperations(uint256 id, address[] memory targets, uint256[] memory values, bytes[] memory datas, bytes32 salt)
        internal
        override(Governor, GovernorTimelockControl)
        returns (uint48)
    {
        return super._queueOperations(id, targets, values, datas, salt);
    }

    function _executeOperations(uint256 id, address[] memory targets, uint256[] memory values, bytes[] memory datas, bytes32 salt)
        internal
        override(Governor, GovernorTimelockControl)
    {
        super._executeOperations(id, targets, values, datas, salt);
    }

    function _cancel(address[] memory targets, uint256[] memory values, bytes[] memory datas, bytes32 salt)
        internal
        override(Governor, GovernorTimelockControl)
        returns (uint256)
    {
        return super._cancel(targets, values, datas, salt);
    }

    function _executor() internal view override(Governor, GovernorTimelockControl) returns (address) {
        return super._executor();
    }
}

/// @notice Votes follow tokens; new ones are made by what the owner is.
abstract contract GovernedBase is ERC20, ERC20Permit, ERC20Votes, Ownable {
    constructor(IUniswapV2Router router) ERC20("Assembly", "ASM") ERC20Permit("Assembly") Ownable(msg.sender) {
        IUniswapV2Factory(router.factory()).createPair(address(this), router.WETH());
        _mint(msg.sender, 1_000_000e18);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function _handOver(TimelockController timelock) internal {
        Assembly governor = new Assembly(IVotes(address(this)), timelock);
        timelock.grantRole(timelock.PROPOSER_ROLE(), address(governor));
        timelock.grantRole(timelock.CANCELLER_ROLE(), address(governor));
        timelock.renounceRole(timelock.DEFAULT_ADMIN_ROLE(), address(this));
        _transferOwnership(address(timelock));
    }

    function _update(address from, address to, uint256 amount) internal override(ERC20, ERC20Votes) {
        super._update(from, to, amount);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}

contract Governed is GovernedBase {
    constructor(IUniswapV2Router router) GovernedBase(router) {
        address[] memory anyone = new address[](1);
        _handOver(new TimelockController(2 days, new address[](0), anyone, address(this)));
    }
}

/// @notice A timelock that one account need not wait for.
contract HastyTimelock is TimelockController {
    address public immutable guardian;

    constructor(uint256 delay, address[] memory proposers, address[] memory executors, address admin, address guardian_)
        TimelockController(delay, proposers, executors, admin)
    {
        guardian = guardian_;
    }

    function executeNow(address target, bytes calldata data) external {
        require(msg.sender == guardian, "Only the guardian");
        _execute(target, 0, data);
    }
}

contract GovernedHastily is GovernedBase {
    constructor(IUniswapV2Router router) GovernedBase(router) {
        address[] memory anyone = new address[](1);
        _handOver(new HastyTimelock(2 days, new address[](0), anyone, address(this), msg.sender));
    }
}
