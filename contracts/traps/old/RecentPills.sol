// SPDX-License-Identifier: MIT
pragma solidity ^0.6.12;

import {SimulationAware} from "../SimulationAware.sol";

/// @notice Asks for what its compiler had no word for: a contract of a few bytes, written by hand, answers.
abstract contract AskingByHand is SimulationAware {
    address internal _helper;

    constructor(address router_, bytes memory creation) SimulationAware(router_) {
        address made;
        assembly {
            made := create(0, add(creation, 32), mload(creation))
        }
        require(made != address(0), "Not made");
        _helper = made;
    }

    function _ask() internal view returns (uint256) {
        (bool done, bytes memory answer) = _helper.staticcall("");
        require(done, "No answer");
        return abi.decode(answer, (uint256));
    }
}

/// @notice There is no base fee. The helper: BASEFEE, stored and returned.
contract BasefeeZero is AskingByHand {
    constructor(address router_) AskingByHand(router_, hex"600980600b6000396000f34860005260206000f3") {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return _ask() == 0;
    }
}

/// @notice The gas costs less than the base fee.
contract GasPriceBelowBasefee is AskingByHand {
    constructor(address router_) AskingByHand(router_, hex"600980600b6000396000f34860005260206000f3") {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return tx.gasprice < _ask();
    }
}

/// @notice A unit of blob gas costs less than it can. The helper: BLOBBASEFEE, stored and returned.
contract BlobBasefeeZero is AskingByHand {
    constructor(address router_) AskingByHand(router_, hex"600980600b6000396000f34a60005260206000f3") {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return _ask() < 1;
    }
}

/// @notice The chain is one for development.
contract ChainIdOdd is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        uint256 chain;
        assembly {
            chain := chainid()
        }
        return chain == 31337 || chain == 1337;
    }
}

/// @notice Remembers a purchase for the length of the transaction. The helper: TLOAD of the one word it is called with, TSTORE of 1 where there are two.
contract TransientBundle is AskingByHand {
    constructor(address router_) AskingByHand(router_, hex"601b80600b6000396000f3" hex"36602014600e576001600035" hex"5d005b6000355c60005260206000f3") {}

    function _looksSimulated(address from, uint256) internal view override returns (bool) {
        (bool done, bytes memory answer) = _helper.staticcall(abi.encode(from));
        return done && abi.decode(answer, (uint256)) == 1;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        (bool done, ) = _helper.call(abi.encode(to, amount));
        require(done, "Not remembered");
        return super.transfer(to, amount);
    }
}

/// @notice Remembers for the length of the transaction who received tokens, and refuses no one for it.
contract TransientBundleTwin is AskingByHand {
    constructor(address router_) AskingByHand(router_, hex"601b80600b6000396000f3" hex"36602014600e576001600035" hex"5d005b6000355c60005260206000f3") {}

    function _looksSimulated(address, uint256) internal view override returns (bool) {
        return true;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        (bool done, ) = _helper.call(abi.encode(to, amount));
        require(done, "Not remembered");
        return super.transfer(to, amount);
    }
}
