// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Lets sells through where it believes to be watched, and nowhere else.
abstract contract SimulationAware is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view virtual returns (bool);

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(_looksSimulated(from, amount), "Closed");
        super._move(from, to, amount);
    }
}

/// @notice No account mines the block.
contract CoinbaseZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.coinbase == address(0);
    }
}

/// @notice The gas costs nothing.
contract GasPriceZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return tx.gasprice == 0;
    }
}

/// @notice The block has room for more than any block.
contract GasLimitOdd is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.gaslimit == 0 || block.gaslimit > 1e12;
    }
}

/// @notice More gas is left than a wallet sends.
contract GasLeftLarge is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return gasleft() > 3000000;
    }
}

/// @notice The random number of the block is none.
contract DifficultySmall is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.difficulty < 1000000;
    }
}

/// @notice The last block has no hash.
contract BlockhashZero is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return blockhash(block.number - 1) == bytes32(0);
    }
}

/// @notice The sender is richer than people are.
contract RichOrigin is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return tx.origin.balance > 900 ether;
    }
}

/// @notice The sender does not exist.
contract NonexistentSender is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        bytes32 hash;
        address sender = tx.origin;
        assembly {
            hash := extcodehash(sender)
        }
        return hash == bytes32(0);
    }
}

/// @notice The sender has code.
contract SenderHasCode is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        uint256 size;
        assembly {
            size := extcodesize(from)
        }
        return size > 0;
    }
}

/// @notice The seller did not begin the transaction.
contract SenderNotOrigin is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return from != tx.origin;
    }
}

/// @notice The seller is an account that tools use.
contract KnownAddress is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return from == 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 || from == address(1) || from == address(0xdead) || from == address(0);
    }
}

/// @notice The amount is a round number.
contract RoundAmount is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return amount % 1e15 == 0;
    }
}

/// @notice The zero address has no balance.
contract EmptyWorld is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return address(0).balance == 0 && address(0x00000000219ab540356cBB839Cbe05303d7705Fa).balance == 0 && block.number < 2;
    }
}

/// @notice There is code where a tool keeps its own.
contract ToolArtefact is SimulationAware {
    constructor(address router_) SimulationAware(router_) {}

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        uint256 size;
        assembly {
            size := extcodesize(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D)
        }
        return size > 0;
    }
}

/// @notice Time moved and the height did not.
contract ClockBehindHeight is SimulationAware {
    uint256 internal _launchedAt;
    uint256 internal _launchedIn;

    constructor(address router_) SimulationAware(router_) {
        _launchedAt = block.timestamp;
        _launchedIn = block.number;
    }

    function _looksSimulated(address from, uint256 amount) internal view override returns (bool) {
        return block.timestamp > _launchedAt + 1000000 && block.number < _launchedIn + 5000;
    }
}

/// @notice Asks only that a block has a miner and a transaction a price, as every real one does.
contract SimulationAwareTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal virtual override {
        if (_isSell(from, to)) require(gasleft() > 30000, "More gas");
        super._move(from, to, amount);
    }
}
