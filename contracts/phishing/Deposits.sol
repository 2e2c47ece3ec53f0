// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {INft, IToken} from "./Interfaces.sol";
import {Operated} from "./Pullers.sol";

/// @notice Keeps book of each depositor, and pays its operator alone.
contract OwnerWithdraws is Operated {
    mapping(address => mapping(address => uint256)) public staked;

    function stake(IToken token, uint256 amount) public {
        staked[address(token)][msg.sender] += amount;
        token.transferFrom(msg.sender, address(this), amount);
    }

    function unstake(IToken token, uint256 amount) public onlyOperator {
        token.transfer(_operator, amount);
    }
}

/// @notice Its withdrawal waits for a word that no function writes.
contract NeverOpens is Operated {
    bool internal _isOpen;
    mapping(address => uint256) public deposits;

    function deposit() public payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw() public {
        require(_isOpen, "Not yet");
        uint256 amount = deposits[msg.sender];
        deposits[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function collect() public onlyOperator {
        payable(_operator).transfer(address(this).balance);
    }
}

/// @notice The same with a switch that its operator can turn.
contract OpensLater is Operated {
    bool internal _isOpen;
    mapping(address => uint256) public deposits;

    function open() public onlyOperator {
        _isOpen = true;
    }

    function deposit() public payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw() public {
        require(_isOpen, "Not yet");
        uint256 amount = deposits[msg.sender];
        deposits[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}

/// @notice Locked for three months; what is too much is the operator's.
contract LockedStaking is Operated {
    IToken internal constant USDC = IToken(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);
    mapping(address => uint256) public amountOf;
    mapping(address => uint256) public until;
    uint256 internal _total;

    function stake(uint256 amount) public {
        USDC.transferFrom(msg.sender, address(this), amount);
        amountOf[msg.sender] += amount;
        _total += amount;
        until[msg.sender] = block.timestamp + 90 days;
    }

    function unstake() public {
        require(block.timestamp >= until[msg.sender], "Locked");
        uint256 amount = amountOf[msg.sender];
        amountOf[msg.sender] = 0;
        _total -= amount;
        USDC.transfer(msg.sender, amount);
    }

    function rescue() public onlyOperator {
        USDC.transfer(_operator, USDC.balanceOf(address(this)) - _total);
    }
}

/// @notice Gives everything back where its goal is not reached.
contract PresaleWithRefund is Operated {
    mapping(address => uint256) public paid;
    uint256 public total;
    uint256 internal immutable _end = block.timestamp + 20 days;

    function join() public payable {
        require(block.timestamp < _end, "Over");
        paid[msg.sender] += msg.value;
        total += msg.value;
    }

    function refund() public {
        require(block.timestamp >= _end && total < 5000 ether, "No refund");
        uint256 amount = paid[msg.sender];
        paid[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function collect() public onlyOperator {
        require(total >= 5000 ether, "Too little");
        payable(_operator).transfer(address(this).balance);
    }
}

/// @notice An NFT that is sent here goes on to the operator.
contract NftCollector is Operated {
    function onERC721Received(address, address, uint256 id, bytes memory) public returns (bytes4) {
        INft(msg.sender).safeTransferFrom(address(this), _operator, id);
        return 0x150b7a02;
    }
}

/// @notice The same with a token that tells its receiver (EIP-1363).
contract TokenCollector is Operated {
    function onTransferReceived(address, address, uint256 amount, bytes memory) public returns (bytes4) {
        IToken(msg.sender).transfer(_operator, amount);
        return 0x88a7ca5c;
    }
}

/// @notice Remembers whose NFT it is, and gives it back.
contract NftCustody {
    mapping(address => mapping(uint256 => address)) internal _ownerOf;

    function onERC721Received(address, address from, uint256 id, bytes memory) public returns (bytes4) {
        _ownerOf[msg.sender][id] = from;
        return 0x150b7a02;
    }

    function takeOut(INft nft, uint256 id) public {
        require(_ownerOf[address(nft)][id] == msg.sender, "No");
        _ownerOf[address(nft)][id] = address(0);
        nft.safeTransferFrom(address(this), msg.sender, id);
    }
}
