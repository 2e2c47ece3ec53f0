// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {TrapFactory, TrapRouter, TrapToken} from "./TrapToken.sol";

/// @notice Answers nothing, wants allowances to come from zero, can be stopped, lists accounts, and could take a fee that it does not: as USDT.
contract TetherLike {
    string public name = "Tether-like";
    string public symbol = "TLK";
    uint8 public decimals = 6;
    uint256 public totalSupply = 1000000 ether;
    address public owner;
    bool public paused;
    uint256 public basisPointsRate = 0;
    uint256 public maximumFee = 0;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    constructor(address router_) {
        owner = msg.sender;
        balanceOf[msg.sender] = totalSupply;
        TrapFactory(TrapRouter(router_).factory()).createPair(address(this), TrapRouter(router_).WETH());
    }

    function setParams(uint256 rate, uint256 most) public onlyOwner {
        require(rate < 20 && most < 50);
        basisPointsRate = rate;
        maximumFee = most * 1e6;
    }

    function setPaused(bool next) public onlyOwner {
        paused = next;
    }

    function setBlackListed(address who, bool next) public onlyOwner {
        isBlackListed[who] = next;
    }

    function approve(address spender, uint256 amount) public {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) public {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public {
        if (allowance[from][msg.sender] < type(uint256).max) {
            require(allowance[from][msg.sender] >= amount);
            allowance[from][msg.sender] -= amount;
        }
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) internal {
        require(!paused && !isBlackListed[from]);
        uint256 fee = (amount * basisPointsRate) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        require(balanceOf[from] >= amount);
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
        emit Transfer(from, to, amount - fee);
    }
}

/// @notice The logic of {DollarProxy}: minters, a list, a switch, and a start that happens once.
contract DollarLogic {
    address internal _logicOfProxy;
    address public owner;
    uint256 public totalSupply;
    bool public paused;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isListed;
    mapping(address => uint256) public minterAllowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function start(address owner_) public {
        require(owner == address(0), "Started");
        owner = owner_;
        totalSupply = 1000000 ether;
        balanceOf[owner_] = totalSupply;
        emit Transfer(address(0), owner_, totalSupply);
    }

    function decimals() public pure returns (uint8) {
        return 6;
    }

    function configureMinter(address minter, uint256 most) public {
        require(msg.sender == owner, "Only the owner");
        minterAllowance[minter] = most;
    }

    function mint(address to, uint256 amount) public {
        require(minterAllowance[msg.sender] >= amount, "Not that much");
        minterAllowance[msg.sender] -= amount;
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function setListed(address who, bool next) public {
        require(msg.sender == owner, "Only the owner");
        isListed[who] = next;
    }

    function setPaused(bool next) public {
        require(msg.sender == owner, "Only the owner");
        paused = next;
    }

    function approve(address spender, uint256 amount) public returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public returns (bool) {
        require(allowance[from][msg.sender] >= amount, "Allowance too small");
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal {
        require(!paused, "Paused");
        require(!isListed[from] && !isListed[to] && !isListed[msg.sender], "Listed");
        require(balanceOf[from] >= amount, "Balance too small");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice A dollar behind a proxy whose admin can exchange the logic, as USDC is.
contract DollarProxy {
    address internal _logic;

    constructor(address router_) {
        DollarLogic logic = new DollarLogic();
        _logic = address(logic);
        TrapFactory(TrapRouter(router_).factory()).createPair(address(this), TrapRouter(router_).WETH());
        (bool done, ) = address(logic).delegatecall(abi.encodeWithSelector(DollarLogic.start.selector, msg.sender));
        require(done, "Not started");
    }

    fallback() external payable {
        address logic = _logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}

/// @notice Wards make and take tokens in the name of a vault engine; an allowance without end stays, as with DAI.
contract DaiLike is TrapToken {
    mapping(address => uint256) public wards;
    mapping(address => uint256) public nonces;

    constructor(address router_) TrapToken(router_) {
        wards[msg.sender] = 1;
    }

    function rely(address who) public {
        require(wards[msg.sender] == 1, "Not a ward");
        wards[who] = 1;
    }

    function mint(address to, uint256 amount) public {
        require(wards[msg.sender] == 1, "Not a ward");
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) public {
        if (from != msg.sender) _spend(from, amount);
        require(_held[from] >= amount, "Balance too small");
        _held[from] -= amount;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }

    function _spend(address from, uint256 amount) internal override {
        if (from != msg.sender && _allowed[from][msg.sender] != type(uint256).max) super._spend(from, amount);
    }
}

/// @notice Everybody's balance is a share of a supply that its owner adjusts a little, as Ampleforth's is.
contract RebasingToken is TrapToken {
    uint256 internal _perToken = 1e24;

    constructor(address router_) TrapToken(router_) {}

    function _mint(address to, uint256 amount) internal override {
        totalSupply = amount;
        _held[to] = amount * 1e24;
        emit Transfer(address(0), to, amount);
    }

    function rebase(uint256 supply) public onlyOwner {
        require(supply >= (totalSupply * 9) / 10 && supply <= (totalSupply * 11) / 10, "Too far");
        _perToken = (_perToken * totalSupply) / supply;
        totalSupply = supply;
    }

    function balanceOf(address who) public view override returns (uint256) {
        return _held[who] / _perToken;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 shares = amount * _perToken;
        require(_held[from] >= shares, "Balance too small");
        _held[from] -= shares;
        _held[to] += shares;
        emit Transfer(from, to, amount);
    }
}

/// @notice Asks the registry of ERC-1820 which account to tell, before and after, as ERC-777 does.
contract RegisteredHooks is TrapToken {
    address internal constant REGISTRY = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;

    constructor(address router_) TrapToken(router_) {}

    function _listenerOf(address who, bytes32 kind) internal view returns (address listener) {
        (bool done, bytes memory answer) = REGISTRY.staticcall(abi.encodeWithSignature("getInterfaceImplementer(address,bytes32)", who, kind));
        if (done && answer.length == 32) listener = abi.decode(answer, (address));
    }

    function _move(address from, address to, uint256 amount) internal override {
        address sending = _listenerOf(from, keccak256("ERC777TokensSender"));
        if (sending != address(0)) RegisteredHooks(sending).tokensToSend(msg.sender, from, to, amount, "", "");
        super._move(from, to, amount);
        address receiving = _listenerOf(to, keccak256("ERC777TokensRecipient"));
        if (receiving != address(0)) RegisteredHooks(receiving).tokensToSend(msg.sender, from, to, amount, "", "");
    }

    function tokensToSend(address, address, address, uint256, bytes memory, bytes memory) public {}
}

/// @notice No account but the pool may have more than a fiftieth.
contract MaxWallet is TrapToken {
    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (to != pair && to != owner && to != router) require(_held[to] <= totalSupply / 50, "Too much for a wallet");
    }
}

/// @notice A minute between two movements of one account.
contract MinuteCooldown is TrapToken {
    mapping(address => uint256) internal _until;

    constructor(address router_) TrapToken(router_) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (_isSell(from, to)) require(block.timestamp >= _until[from], "Wait a minute");
        if (_isBuy(from, to)) _until[to] = block.timestamp + 1 minutes;
        super._move(from, to, amount);
    }
}
