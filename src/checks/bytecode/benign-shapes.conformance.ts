/**
 * Contracts that are in wide use and that no package ships compiled, written anew in the same
 * shape: the same powers, calls and checks, none of the original's text. Permit2, Multicall3, a
 * Safe with its proxy, an exchange for signed orders, an ERC-4337 entry point, and tokens in the
 * manner of USDC (proxy, roles, list) and USDT (fee with a ceiling, pause, list).
 */
export const BENIGN_SHAPES = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
interface IWallet {
    function validate(bytes32 hash, uint256 missing) external returns (uint256);
}

contract AllowanceHub {
    struct Allowed { uint160 amount; uint48 expiration; uint48 nonce; }
    mapping(address => mapping(address => mapping(address => Allowed))) public allowance;
    mapping(address => mapping(uint256 => uint256)) public used;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowed storage allowed = allowance[msg.sender][token][spender];
        allowed.amount = amount;
        allowed.expiration = expiration;
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowed storage allowed = allowance[from][token][msg.sender];
        require(block.timestamp <= allowed.expiration, "expired");
        if (allowed.amount != type(uint160).max) {
            require(amount <= allowed.amount, "too much");
            unchecked { allowed.amount -= amount; }
        }
        require(IToken(token).transferFrom(from, to, amount), "failed");
    }

    function permitTransferFrom(address token, uint256 amount, uint256 nonce, uint256 deadline, address to, address owner, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "expired");
        uint256 bit = 1 << (nonce & 0xff);
        uint256 flipped = used[owner][nonce >> 8] ^= bit;
        require(flipped & bit != 0, "used");
        bytes32 hash = keccak256(abi.encode(token, amount, nonce, deadline, msg.sender, block.chainid, address(this)));
        address signer = ecrecover(hash, v, r, s);
        require(signer != address(0) && signer == owner, "signature");
        require(IToken(token).transferFrom(owner, to, amount), "failed");
    }
}

contract ManyCalls {
    struct Call { address target; bool mayFail; uint256 value; bytes data; }

    function aggregate(Call[] calldata calls) external payable returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        uint256 sent;
        for (uint256 i = 0; i < calls.length; i++) {
            sent += calls[i].value;
            (bool done, bytes memory result) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            require(done || calls[i].mayFail, "failed");
            results[i] = result;
        }
        require(msg.value == sent, "value");
    }

    function balance(address account) external view returns (uint256) { return account.balance; }
}

contract Vault {
    address internal singleton;
    mapping(address => address) internal modules;
    mapping(address => address) internal owners;
    uint256 internal ownerCount;
    uint256 public threshold;
    uint256 public nonce;

    function setup(address[] calldata list, uint256 needed) external {
        require(threshold == 0, "done");
        require(needed > 0 && needed <= list.length, "threshold");
        for (uint256 i = 0; i < list.length; i++) owners[list[i]] = list[i];
        ownerCount = list.length;
        threshold = needed;
    }

    modifier onlySelf() { require(msg.sender == address(this), "self"); _; }
    function enableModule(address module) external onlySelf { modules[module] = module; }
    function changeThreshold(uint256 needed) external onlySelf {
        require(needed > 0 && needed <= ownerCount, "threshold");
        threshold = needed;
    }

    function execTransaction(address to, uint256 value, bytes calldata data, bool delegate, bytes calldata signatures) external payable {
        bytes32 hash = keccak256(abi.encode(to, value, keccak256(data), delegate, nonce++, block.chainid, address(this)));
        uint256 needed = threshold;
        require(needed > 0 && signatures.length >= needed * 65, "signatures");
        address last;
        for (uint256 i = 0; i < needed; i++) {
            bytes32 r = bytes32(signatures[i * 65:]);
            bytes32 s = bytes32(signatures[i * 65 + 32:]);
            address signer = ecrecover(hash, uint8(signatures[i * 65 + 64]), r, s);
            require(signer > last && owners[signer] != address(0), "owner");
            last = signer;
        }
        bool done;
        if (delegate) (done, ) = to.delegatecall(data); else (done, ) = to.call{value: value}(data);
        require(done, "failed");
    }

    function execFromModule(address to, uint256 value, bytes calldata data) external returns (bool done) {
        require(modules[msg.sender] != address(0), "module");
        (done, ) = to.call{value: value}(data);
    }

    receive() external payable {}
}

contract VaultProxy {
    address internal singleton;
    constructor(address logic) { singleton = logic; }
    fallback() external payable {
        assembly {
            let logic := and(sload(0), 0xffffffffffffffffffffffffffffffffffffffff)
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract OrderBook {
    struct Order { address maker; address token; uint256 amount; address wanted; uint256 price; uint256 salt; uint256 deadline; }
    mapping(bytes32 => bool) public filled;
    mapping(address => uint256) public counter;

    function cancelAll() external { counter[msg.sender]++; }

    function fulfil(Order calldata order, uint8 v, bytes32 r, bytes32 s, address recipient) external {
        require(block.timestamp <= order.deadline, "expired");
        bytes32 hash = keccak256(abi.encode(order, counter[order.maker], block.chainid, address(this)));
        require(!filled[hash], "filled");
        filled[hash] = true;
        address signer = ecrecover(hash, v, r, s);
        require(signer != address(0) && signer == order.maker, "signature");
        require(IToken(order.wanted).transferFrom(msg.sender, order.maker, order.price), "payment");
        require(IToken(order.token).transferFrom(order.maker, recipient, order.amount), "delivery");
    }
}

contract EntryPoint {
    struct Operation { address sender; uint256 nonce; bytes data; uint256 gas; uint256 price; bytes signature; }
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public nonces;

    receive() external payable { deposits[msg.sender] += msg.value; }
    function depositTo(address account) external payable { deposits[account] += msg.value; }
    function withdrawTo(address payable to, uint256 amount) external {
        require(deposits[msg.sender] >= amount, "deposit");
        deposits[msg.sender] -= amount;
        (bool done, ) = to.call{value: amount}("");
        require(done, "failed");
    }

    function handleOps(Operation[] calldata operations, address payable beneficiary) external {
        uint256 collected;
        for (uint256 i = 0; i < operations.length; i++) {
            Operation calldata operation = operations[i];
            bytes32 hash = keccak256(abi.encode(operation.sender, operation.nonce, operation.data, block.chainid, address(this)));
            require(operation.nonce == nonces[operation.sender]++, "nonce");
            uint256 cost = operation.gas * operation.price;
            require(IWallet(operation.sender).validate(hash, cost) == 0, "invalid");
            require(deposits[operation.sender] >= cost, "deposit");
            deposits[operation.sender] -= cost;
            collected += cost;
            (bool done, ) = operation.sender.call{gas: operation.gas}(operation.data);
            done;
        }
        (bool paid, ) = beneficiary.call{value: collected}("");
        require(paid, "payment");
    }
}

contract DelayedExecutor {
    uint256 public delay = 2 days;
    address public admin;
    mapping(bytes32 => uint256) public readyAt;

    modifier onlyAdmin() { require(msg.sender == admin, "admin"); _; }
    function setDelay(uint256 next) external { require(msg.sender == address(this) && next >= 1 days && next <= 30 days, "delay"); delay = next; }
    function schedule(address to, uint256 value, bytes calldata data) external onlyAdmin {
        readyAt[keccak256(abi.encode(to, value, data))] = block.timestamp + delay;
    }
    function execute(address to, uint256 value, bytes calldata data) external payable onlyAdmin {
        bytes32 id = keccak256(abi.encode(to, value, data));
        require(readyAt[id] != 0 && readyAt[id] <= block.timestamp, "early");
        delete readyAt[id];
        (bool done, ) = to.call{value: value}(data);
        require(done, "failed");
    }
}

abstract contract Money {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public blocked;
    uint256 public totalSupply;
    bool public paused;
    address public owner = msg.sender;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
    function setPaused(bool value) external onlyOwner { paused = value; }
    function setBlocked(address account, bool value) external onlyOwner { blocked[account] = value; }
    function transferOwnership(address next) external onlyOwner { owner = next; }
    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }
    function transfer(address to, uint256 amount) external returns (bool) { _move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }
    function _move(address from, address to, uint256 amount) internal virtual {
        require(!paused && !blocked[from] && !blocked[to], "stopped");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

contract IssuedDollar is Money {
    mapping(address => uint256) public minterAllowance;
    function configureMinter(address minter, uint256 limit) external onlyOwner { minterAllowance[minter] = limit; }
    function mint(address to, uint256 amount) external {
        minterAllowance[msg.sender] -= amount;
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }
    function burn(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }
}

contract FeeDollar is Money {
    uint256 public basisPoints;
    uint256 public maximumFee;
    function setParams(uint256 points, uint256 maximum) external onlyOwner {
        require(points < 20 && maximum < 50, "bound");
        basisPoints = points;
        maximumFee = maximum * 1e6;
    }
    function issue(uint256 amount) external onlyOwner { balanceOf[owner] += amount; totalSupply += amount; }
    function redeem(uint256 amount) external onlyOwner { totalSupply -= amount; balanceOf[owner] -= amount; }
    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = (amount * basisPoints) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        if (fee > 0) super._move(from, owner, fee);
        super._move(from, to, amount - fee);
    }
}
`
