// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {Judge, MildJudge} from "./Elsewhere.sol";
import {PowerToken} from "./PowerToken.sol";

/// @notice Which contract answers questions of a kind; the owner decides.
contract Register {
    address public owner;
    mapping(bytes32 => address) internal _entries;

    constructor(address owner_, bytes32 key, address first) {
        owner = owner_;
        _entries[key] = first;
    }

    function entry(bytes32 key) public view returns (address) {
        return _entries[key];
    }

    function setEntry(bytes32 key, address next) public virtual {
        require(msg.sender == owner, "Not yours");
        _entries[key] = next;
    }
}

/// @notice One kind of question keeps its answer once it has one.
contract RegisterTwin is Register {
    constructor(address owner_, bytes32 key, address first) Register(owner_, key, first) {}

    function setEntry(bytes32 key, address next) public override {
        require(msg.sender == owner, "Not yours");
        require(key != keccak256("rules"), "Settled");
        _entries[key] = next;
    }
}

/// @notice Names the judge of each token.
contract Resolver {
    address internal immutable _judge;

    constructor(address judge) {
        _judge = judge;
    }

    function judgeOf(address) public view returns (address) {
        return _judge;
    }
}

/// @notice Asks a register for a resolver, that one for a judge, and the judge about each sell.
contract ThreeDoors is PowerToken {
    bytes32 internal constant RULES = keccak256("rules");
    Register internal _register;

    constructor(address router_) PowerToken(router_) {
        _register = _open(address(new Resolver(address(new MildJudge()))));
    }

    function _open(address first) internal virtual returns (Register) {
        return new Register(msg.sender, RULES, first);
    }

    function _isAsked(address from, address to) internal view virtual returns (bool) {
        return _isSell(from, to);
    }

    function _check(address from, address to, uint256) internal view override {
        if (!_isAsked(from, to)) return;
        address judge = Resolver(_register.entry(RULES)).judgeOf(address(this));
        require(Judge(judge).isFree(from, to), "Closed");
    }
}

/// @notice The same questions at every transfer.
contract ThreeDoorsAlways is ThreeDoors {
    constructor(address router_) ThreeDoors(router_) {}

    function _isAsked(address, address) internal view override returns (bool) {
        return address(_register) != address(0);
    }
}

/// @notice Of all entries the one that counts stays as it is.
contract ThreeDoorsTwin is ThreeDoors {
    constructor(address router_) ThreeDoors(router_) {}

    function _open(address first) internal override returns (Register) {
        return new RegisterTwin(msg.sender, RULES, first);
    }
}

/// @notice Each entry has an owner of its own, as the names of a public register do.
contract Names {
    struct Name {
        address owner;
        address resolver;
    }

    mapping(bytes32 => Name) internal _names;

    function claim(bytes32 node, address owner_, address first) public {
        require(_names[node].owner == address(0), "Taken");
        _names[node] = Name(owner_, first);
    }

    function resolver(bytes32 node) public view returns (address) {
        return _names[node].resolver;
    }

    function setResolver(bytes32 node, address next) public {
        require(msg.sender == _names[node].owner, "Not yours");
        _names[node].resolver = next;
    }
}

/// @notice Sells ask a public register of names, and the name belongs to one account.
contract NameOwned is PowerToken {
    bytes32 internal constant NODE = keccak256("harbour");
    Names internal immutable _names;

    constructor(address router_) PowerToken(router_) {
        Names made = new Names();
        made.claim(NODE, _nameOwner(), address(new Resolver(address(new MildJudge()))));
        _names = made;
    }

    function _nameOwner() internal view virtual returns (address) {
        return msg.sender;
    }

    function _check(address from, address to, uint256) internal view override {
        if (!_isSell(from, to)) return;
        require(Judge(Resolver(_names.resolver(NODE)).judgeOf(address(this))).isFree(from, to), "Closed");
    }
}

/// @notice The name belongs to an address that no key has.
contract NameOwnedTwin is NameOwned {
    constructor(address router_) NameOwned(router_) {}

    function _nameOwner() internal view override returns (address) {
        return address(0xdead);
    }
}

/// @notice Whether trade is open, as its owner says.
contract Rule {
    address internal immutable _boss;
    bool internal _shut;

    constructor(address boss) {
        _boss = boss;
    }

    function shut(bool next) public {
        require(msg.sender == _boss, "Not yours");
        _shut = next;
    }

    function isFree(address, address) public view returns (bool) {
        return !_shut;
    }
}

/// @notice Nothing on the way can be exchanged; the rule at its end can.
contract RuleAtTheEnd is PowerToken {
    Resolver internal immutable _resolver = new Resolver(address(new Resolver(address(new Rule(msg.sender)))));

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (!_isSell(from, to)) return;
        address next = _resolver.judgeOf(from);
        require(Judge(Resolver(next).judgeOf(address(this))).isFree(from, to), "Closed");
    }
}

/// @notice The master of each token, by the token and a number.
contract Numbered {
    address internal immutable _boss;
    mapping(address => mapping(uint256 => address)) internal _of;

    constructor(address boss, address first) {
        _boss = boss;
        _of[msg.sender][3] = first;
    }

    function assign(address token, uint256 number, address next) public {
        require(msg.sender == _boss, "Not yours");
        _of[token][number] = next;
    }

    function mine(uint256 number) public view returns (address) {
        return _of[msg.sender][number];
    }
}

/// @notice The register finds its answer by who asks and by a number.
contract NumberedJudge is PowerToken {
    Numbered internal immutable _numbered = new Numbered(msg.sender, address(new MildJudge()));

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to)) require(Judge(_numbered.mine(3)).isFree(from, to), "Closed");
    }
}

/// @notice Runs the logic that its admin names.
contract RegisterProxy {
    address internal _logic;
    address internal immutable _admin;

    constructor(address admin, address logic) {
        _admin = admin;
        _logic = logic;
    }

    function exchange(address next) public {
        require(msg.sender == _admin, "Not yours");
        _logic = next;
    }

    fallback() external {
        address logic = _logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// @notice The contract that is asked is a proxy, and its code can be exchanged.
contract ProxyAsked is PowerToken {
    address internal immutable _judge = address(new RegisterProxy(msg.sender, address(new MildJudge())));

    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view override {
        if (_isSell(from, to)) require(Judge(_judge).isFree(from, to), "Closed");
    }
}
