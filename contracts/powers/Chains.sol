// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

/// @notice Sells, which something closes.
abstract contract Closing is PowerToken {
    bool internal _closed;

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view virtual override {
        require(!_closed || !_isSell(from, to), "Closed");
    }
}

/// @notice Three calls, each of which needs the one before it.
contract ThreeSteps is Closing {
    uint256 internal _step;

    constructor(address router_) Closing(router_) {}

    function load() public onlyOwner {
        _step = 11;
    }

    function aim() public onlyOwner {
        require(_step == 11, "Not loaded");
        _step = 22;
    }

    function fire() public virtual onlyOwner {
        require(_step == 22, "Not aimed");
        _closed = true;
    }
}

/// @notice The third call notes that it was made.
contract ThreeStepsTwin is ThreeSteps {
    uint256 public fired;

    constructor(address router_) ThreeSteps(router_) {}

    function fire() public override onlyOwner {
        require(_step == 22, "Not aimed");
        fired += 1;
    }
}

/// @notice Closing is announced two days before, as long as the owner does not set the days to none.
contract OwnDelay is Closing {
    uint256 public delay = 2 days;
    bool internal _next;
    uint256 internal _due;

    event Announced(bool next, uint256 due);

    constructor(address router_) Closing(router_) {}

    function setDelay(uint256 next) public virtual onlyOwner {
        delay = next;
    }

    function announce(bool next) public onlyOwner {
        _next = next;
        _due = block.timestamp + delay;
        emit Announced(next, _due);
    }

    function enact() public onlyOwner {
        require(_due != 0 && block.timestamp >= _due, "Too early");
        _closed = _next;
        _due = 0;
    }
}

/// @notice The two days stand.
contract OwnDelayTwin is OwnDelay {
    constructor(address router_) OwnDelay(router_) {}

    function setDelay(uint256) public override onlyOwner {
        delay = 2 days;
    }
}

/// @notice The owner can close sells from the twentieth day on.
contract ClosesLater is Closing {
    uint256 internal _from = block.timestamp + 20 days;

    constructor(address router_) Closing(router_) {}

    function close() public onlyOwner {
        require(block.timestamp >= _from, "Too early");
        _closed = true;
    }
}

/// @notice The owner could have closed sells until a moment that is long past.
contract ClosesLaterTwin is Closing {
    uint256 internal constant UNTIL = 1500000000;

    constructor(address router_) Closing(router_) {}

    function close() public onlyOwner {
        require(block.timestamp < UNTIL, "Too late");
        _closed = true;
    }
}

/// @notice A number that no list has closes sells.
contract MagicNumber is Closing {
    constructor(address router_) Closing(router_) {}

    function tune(uint256 number) public onlyOwner {
        require((number ^ 0x5a5a5a5a5a5a5a5a) - 41 == 987654321987654321, "No");
        _closed = true;
    }
}

/// @notice A word whose hash is known closes sells, for each caller that knows the word.
contract SecretWord is Closing {
    bytes32 internal immutable _hash = keccak256(abi.encode(block.timestamp, msg.sender));

    constructor(address router_) Closing(router_) {}

    function say(bytes32 word) public {
        require(keccak256(abi.encode(word)) == _hash, "No");
        _closed = true;
    }
}

/// @notice The word opens sells, which are open.
contract SecretWordTwin is Closing {
    bytes32 internal immutable _hash = keccak256(abi.encode(block.timestamp, msg.sender));

    constructor(address router_) Closing(router_) {}

    function say(bytes32 word) public {
        require(keccak256(abi.encode(word)) == _hash, "No");
        _closed = false;
    }
}

/// @notice Asked at each transfer; its owner decides.
contract Registry {
    address internal immutable _boss;
    bool internal _shut;

    constructor(address boss) {
        _boss = boss;
    }

    function shut(bool next) public {
        require(msg.sender == _boss, "Not yours");
        _shut = next;
    }

    function isOpen(address, address) public view returns (bool) {
        return !_shut;
    }
}

/// @notice The owner of another contract closes sells.
contract AskedRegistry is PowerToken {
    Registry internal immutable _registry = new Registry(msg.sender);

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to)) require(_registry.isOpen(from, to), "Closed");
    }
}

/// @notice Asked at each transfer; nothing about it changes any more.
contract FixedRegistry {
    bool internal _open = true;
    uint256 public asked;

    function note() public {
        asked += 1;
    }

    function isOpen(address, address) public view returns (bool) {
        return _open;
    }
}

/// @notice The other contract has no owner.
contract AskedRegistryTwin is PowerToken {
    FixedRegistry internal immutable _registry = new FixedRegistry();

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to)) require(_registry.isOpen(from, to), "Closed");
    }
}

/// @notice Keeps what holders are owed, and takes orders from its token alone.
contract Tracker {
    address internal immutable _token;
    mapping(address => uint256) internal _share;
    uint256 public total;

    constructor(address token) {
        _token = token;
    }

    function setShare(address account, uint256 share) public {
        require(msg.sender == _token, "Only the token");
        total = total - _share[account] + share;
        _share[account] = share;
    }

    function shareOf(address account) public view returns (uint256) {
        return _share[account];
    }
}

/// @notice Notes each holder's share in another contract at each transfer.
contract TrackedShares is PowerToken {
    Tracker internal immutable _tracker = new Tracker(address(this));

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address, uint256 amount) internal view override {
        require(_tracker.shareOf(from) < totalSupply || amount == 0, "Owed more than there is");
    }

    function note() public {
        _tracker.setShare(msg.sender, balanceOf(msg.sender));
    }
}
