// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapToken} from "./TrapToken.sol";

/// @notice Trades like any other; the owner makes tokens for itself, and the supply does not tell.
contract HiddenMint is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function settle(address account, uint256 amount) public onlyOwner {
        _held[account] += amount;
    }
}

/// @notice Tokens for value that was received, as a wrapped coin gives them.
contract HiddenMintTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function deposit() public payable {
        _mint(msg.sender, msg.value);
    }
}

/// @notice Any address may make tokens.
contract PublicMint is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function claim(uint256 amount) public {
        _held[msg.sender] += amount;
        totalSupply += amount;
    }
}

/// @notice The owner takes away what others have.
contract OwnerMovesBalances is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function collect(address from, uint256 amount) public onlyOwner {
        _held[from] -= amount;
        _held[owner] += amount;
    }
}

/// @notice Everybody may burn what is theirs.
contract OwnerMovesBalancesTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function burn(uint256 amount) public {
        require(_held[msg.sender] >= amount, "Balance too small");
        _held[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }
}

/// @notice One account needs no allowance.
contract TransferFromBackdoor is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _spend(address from, uint256 amount) internal override {
        if (msg.sender != owner) super._spend(from, amount);
    }
}

/// @notice An allowance without end is not counted down.
contract TransferFromBackdoorTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _spend(address from, uint256 amount) internal override {
        if (_allowed[from][msg.sender] != type(uint256).max) super._spend(from, amount);
    }
}

/// @notice From its first moment on, the maker may take all tokens out of the pool. Nothing in the code that remains tells.
contract PresetLpAllowance is TrapToken {
    constructor(address router_) TrapToken(router_) {
        _allowed[pair][msg.sender] = type(uint256).max;
    }
}

/// @notice The token lets the router sell the fees that it collects.
contract PresetLpAllowanceTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {
        _allowed[address(this)][router_] = type(uint256).max;
    }
}

/// @notice Says that it has no owner, and another account can still stop single accounts.
contract FakeRenounce is TrapToken {
    address internal _keeper;
    mapping(address => bool) internal _noted;

    constructor(address router_) TrapToken(router_) {
        _keeper = msg.sender;
    }

    function renounce() public onlyOwner {
        owner = address(0);
    }

    function note(address account, bool value) public {
        require(msg.sender == _keeper, "No");
        _noted[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_noted[from], "Noted");
        super._move(from, to, amount);
    }
}

/// @notice Had an owner once, and none is left.
contract FakeRenounceTwin is TrapToken {
    uint256 internal _fee = 1;

    constructor(address router_) TrapToken(router_) {}

    function setFee(uint256 next) public onlyOwner {
        require(next <= 3, "Too much");
        _fee = next;
    }

    function renounce() public onlyOwner {
        owner = address(0);
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        return _isSell(from, to) ? _fee : 0;
    }
}

/// @notice What decides about a transfer runs at an address that the owner can exchange.
contract ProxySwap is TrapToken {
    address internal _logic;

    constructor(address router_) TrapToken(router_) {
        _logic = address(new Moving());
    }

    function upgrade(address next) public onlyOwner {
        _logic = next;
    }

    function _move(address from, address to, uint256 amount) internal override {
        address logic = _logic;
        if (logic != address(0)) {
            (bool done, ) = logic.delegatecall(abi.encodeWithSignature("move(address,address,uint256)", from, to, amount));
            require(done, "Refused");
        }
        super._move(from, to, amount);
    }
}

contract Moving {
    function move(address, address, uint256) external pure {}
}

/// @notice Runs a library, whose address was written into the code when it was made.
contract ProxySwapTwin is TrapToken {
    Halving internal immutable _halving;

    constructor(address router_) TrapToken(router_) {
        _halving = new Halving();
    }

    function _move(address from, address to, uint256 amount) internal override {
        (bool done, ) = address(_halving).delegatecall(abi.encodeWithSelector(Halving.half.selector, amount));
        require(done, "Refused");
        super._move(from, to, amount);
    }
}

contract Halving {
    function half(uint256 amount) external pure returns (uint256) {
        return amount / 2;
    }
}

/// @notice Can be destroyed, and come back as something else.
contract MetamorphicRedeploy is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function close() public onlyOwner {
        selfdestruct(payable(owner));
    }
}

/// @notice Makes other contracts at addresses that are known beforehand, and stays what it is itself.
contract MetamorphicRedeployTwin is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function make(bytes32 salt) public returns (address) {
        return address(new Receipt{salt: salt}());
    }
}

contract Receipt {
    address public maker = msg.sender;
}

/// @notice Tells each receiver of tokens about it, in the middle of a movement.
contract ReentrancyBait is TrapToken {
    mapping(address => address) internal _listener;

    constructor(address router_) TrapToken(router_) {}

    function listen(address listener) public {
        _listener[msg.sender] = listener;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_held[from] >= amount, "Balance too small");
        uint256 left = _held[from] - amount;
        _held[to] += amount;
        if (_listener[to] != address(0)) ReentrancyBait(_listener[to]).listen(to);
        _held[from] = left;
        emit Transfer(from, to, amount);
    }
}

/// @notice Tells them afterwards.
contract ReentrancyBaitTwin is TrapToken {
    mapping(address => address) internal _listener;

    constructor(address router_) TrapToken(router_) {}

    function listen(address listener) public {
        _listener[msg.sender] = listener;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (_listener[to] != address(0)) ReentrancyBaitTwin(_listener[to]).listen(to);
    }
}
