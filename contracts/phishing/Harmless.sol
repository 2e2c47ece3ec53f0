// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {INft, IToken} from "./Interfaces.sol";

/// @notice Credits the depositor.
contract Staking {
    IToken internal constant USDC = IToken(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    mapping(address => uint256) public staked;

    function stake(uint256 amount) public {
        staked[msg.sender] += amount;
        USDC.transferFrom(msg.sender, address(this), amount);
    }

    function stakeAll() public {
        uint256 amount = USDC.balanceOf(msg.sender);
        staked[msg.sender] += amount;
        USDC.transferFrom(msg.sender, address(this), amount);
    }

    function withdraw(uint256 amount) public {
        require(staked[msg.sender] >= amount, "Too much");
        staked[msg.sender] -= amount;
        USDC.transfer(msg.sender, amount);
    }
}

/// @notice Pays many at once, from the caller, to accounts that the caller names (the shape of Disperse).
contract Disperse {
    function disperseEther(address payable[] memory recipients, uint256[] memory values) public payable {
        for (uint256 i = 0; i < recipients.length; i++) recipients[i].transfer(values[i]);
        if (address(this).balance > 0) msg.sender.call{value: address(this).balance}("");
    }

    function disperseToken(IToken token, address[] memory recipients, uint256[] memory values) public {
        uint256 total = 0;
        for (uint256 i = 0; i < recipients.length; i++) total += values[i];
        require(token.transferFrom(msg.sender, address(this), total), "Failed");
        for (uint256 i = 0; i < recipients.length; i++) require(token.transfer(recipients[i], values[i]), "Failed");
    }

    function disperseTokenSimple(IToken token, address[] memory recipients, uint256[] memory values) public {
        for (uint256 i = 0; i < recipients.length; i++) require(token.transferFrom(msg.sender, recipients[i], values[i]), "Failed");
    }
}

/// @notice Releases what it holds as time goes by.
contract Vesting {
    address public beneficiary;
    uint256 internal _start;
    mapping(address => uint256) public released;

    constructor() {
        beneficiary = msg.sender;
        _start = block.timestamp;
    }

    function release(IToken token) public {
        uint256 total = token.balanceOf(address(this)) + released[address(token)];
        uint256 due = (total * (block.timestamp - _start)) / 365 days;
        if (due > total) due = total;
        uint256 amount = due - released[address(token)];
        released[address(token)] = due;
        require(token.transfer(beneficiary, amount), "Failed");
    }
}

/// @notice Locks what is to appear on another chain.
contract BridgeDeposit {
    event Deposited(address indexed token, address indexed from, address to, uint256 amount);

    function deposit(IToken token, uint256 amount, address to) public {
        require(token.transferFrom(msg.sender, address(this), amount), "Failed");
        emit Deposited(address(token), msg.sender, to, amount);
    }

    function depositNative(address to) public payable {
        emit Deposited(address(0), msg.sender, to, msg.value);
    }
}

/// @notice Any address makes it call anything, so that no wallet leaves it an allowance (the shape of Multicall3).
contract OpenMulticall {
    struct Call {
        address target;
        bytes callData;
    }

    function aggregate(Call[] memory calls) public payable returns (bytes[] memory returned) {
        returned = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            bool done;
            (done, returned[i]) = calls[i].target.call(calls[i].callData);
            require(done, "Call failed");
        }
    }
}

/// @notice Several owners sign, modules act for them (the shape of a Safe).
contract SharedWallet {
    address internal constant SENTINEL = address(1);
    mapping(address => address) internal _modules;
    mapping(address => bool) public isOwner;
    uint256 public threshold;
    uint256 public nonce;

    constructor() {
        isOwner[msg.sender] = true;
        threshold = 1;
        _modules[SENTINEL] = SENTINEL;
    }

    receive() external payable {}

    function enableModule(address module) public {
        require(msg.sender == address(this), "Only by itself");
        require(module != address(0) && module != SENTINEL && _modules[module] == address(0), "Not possible");
        _modules[module] = _modules[SENTINEL];
        _modules[SENTINEL] = module;
    }

    function execTransaction(address to, uint256 value, bytes memory data, bytes memory signatures) public returns (bool done) {
        require(signatures.length >= threshold * 65, "Too few signatures");
        bytes32 hash = keccak256(abi.encode(address(this), nonce++, to, value, data));
        address last = address(0);
        for (uint256 i = 0; i < threshold; i++) {
            bytes32 r;
            bytes32 s;
            uint8 v;
            assembly {
                let at := add(signatures, mul(i, 65))
                r := mload(add(at, 32))
                s := mload(add(at, 64))
                v := byte(0, mload(add(at, 96)))
            }
            address signer = ecrecover(hash, v, r, s);
            require(signer > last && isOwner[signer], "Not an owner");
            last = signer;
        }
        (done, ) = to.call{value: value}(data);
    }

    function execTransactionFromModule(address to, uint256 value, bytes memory data) public returns (bool done) {
        require(msg.sender != SENTINEL && _modules[msg.sender] != address(0), "Not a module");
        (done, ) = to.call{value: value}(data);
    }
}

interface IWallet {
    function validate(bytes32 hash, bytes calldata signature) external returns (uint256);
}

/// @notice Runs what accounts have agreed to (the shape of ERC-4337's EntryPoint).
contract EntryPointLike {
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public nonces;

    receive() external payable {
        deposits[msg.sender] += msg.value;
    }

    function depositTo(address account) public payable {
        deposits[account] += msg.value;
    }

    function withdrawTo(address payable to, uint256 amount) public {
        require(deposits[msg.sender] >= amount, "Too much");
        deposits[msg.sender] -= amount;
        to.transfer(amount);
    }

    function handle(address account, bytes memory data, bytes memory signature) public {
        bytes32 hash = keccak256(abi.encode(account, nonces[account]++, data));
        require(IWallet(account).validate(hash, signature) == 0x19822f7c, "Refused");
        this.inner(account, data);
    }

    function inner(address account, bytes memory data) public {
        require(msg.sender == address(this), "Only itself");
        (bool done, ) = account.call(data);
        require(done, "Failed");
    }
}

/// @notice Sells listed NFTs and pays the owner in the same call (the shape of Seaport).
contract Exchange {
    mapping(bytes32 => bool) public isFilled;

    function fulfil(address nft, address offerer, uint256 id, uint256 price, uint8 v, bytes32 r, bytes32 s) public payable {
        bytes32 hash = keccak256(abi.encode(address(this), nft, offerer, id, price));
        require(!isFilled[hash] && price > 0 && msg.value == price, "Not on these terms");
        require(ecrecover(hash, v, r, s) == offerer, "Not signed");
        isFilled[hash] = true;
        INft(nft).safeTransferFrom(offerer, msg.sender, id);
        payable(offerer).transfer(price);
    }

    mapping(address => mapping(uint256 => uint256)) public priceOf;
    mapping(address => mapping(uint256 => address)) public sellerOf;

    function list(address nft, uint256 id, uint256 price) public {
        require(price > 0, "For nothing");
        priceOf[nft][id] = price;
        sellerOf[nft][id] = msg.sender;
    }

    function buy(address nft, uint256 id) public payable {
        address seller = sellerOf[nft][id];
        require(seller != address(0) && msg.value == priceOf[nft][id], "Not on these terms");
        sellerOf[nft][id] = address(0);
        INft(nft).safeTransferFrom(seller, msg.sender, id);
        payable(seller).transfer(msg.value);
    }
}
