// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

/// @notice Any address has the account that delegates to it call anything (EIP-7702).
contract OpenDelegate {
    function execute(address to, uint256 value, bytes memory data) public {
        (bool done, ) = to.call{value: value}(data);
        require(done, "Failed");
    }

    receive() external payable {}
}

/// @notice Its maker has the account call anything.
contract OperatorDelegate {
    address internal immutable _maker = msg.sender;

    function execute(address to, uint256 value, bytes memory data) public {
        require(msg.sender == _maker, "Not the maker");
        (bool done, ) = to.call{value: value}(data);
        require(done, "Failed");
    }

    receive() external payable {}
}

/// @notice The first caller owns the account.
contract FirstComeDelegate {
    address internal _owner;

    function initialize(address owner) public {
        require(_owner == address(0), "Taken");
        _owner = owner;
    }

    function execute(address to, uint256 value, bytes memory data) public {
        require(msg.sender == _owner, "Not the owner");
        (bool done, ) = to.call{value: value}(data);
        require(done, "Failed");
    }

    receive() external payable {}
}

/// @notice The account itself says who owns it.
contract OwnInitDelegate {
    address internal _owner;

    function initialize(address owner) public {
        require(msg.sender == address(this), "Not the account");
        _owner = owner;
    }

    function execute(address to, uint256 value, bytes memory data) public {
        require(msg.sender == _owner || msg.sender == address(this), "Not the owner");
        (bool done, ) = to.call{value: value}(data);
        require(done, "Failed");
    }

    receive() external payable {}
}

/// @notice Anyone brings a call; the account has to have signed it.
contract SignedDelegate {
    uint256 internal _nonce;

    function executeSigned(address to, uint256 value, bytes memory data, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 digest = keccak256(abi.encode(address(this), _nonce++, to, value, data));
        require(ecrecover(digest, v, r, s) == address(this), "Not signed");
        (bool done, ) = to.call{value: value}(data);
        require(done, "Failed");
    }

    receive() external payable {}
}

/// @notice The shape of a Safe: a slot says whose code it runs.
contract StoredLogic {
    address internal _logic;

    constructor() {
        _logic = address(new StoredLogicCode());
    }

    receive() external payable {}

    fallback() external payable {
        (bool done, bytes memory answer) = _logic.delegatecall(msg.data);
        require(done, "Failed");
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

/// @notice What it runs: the account alone changes its owner.
contract StoredLogicCode {
    address internal _logic;
    address internal _owner;

    function setOwner(address owner) public {
        require(msg.sender == address(this), "Not the account");
        _owner = owner;
    }
}

/// @notice Run as another's code, it exchanges that code.
contract LogicTakeover {
    address internal _logic;

    function transfer(address logic, uint256) public {
        _logic = logic;
    }
}

/// @notice Run as another's code, it makes the calls it is given (the shape of MultiSend).
contract CallsInTurn {
    function run(address[] memory to, bytes[] memory data) public {
        for (uint256 i = 0; i < to.length; i++) {
            (bool done, ) = to[i].call(data[i]);
            require(done, "Failed");
        }
    }
}
