// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title The code behind {DollarCoinProxy}
/// @notice A dollar in the shape of USDC: roles that mint, pause and block holders, and EIP-2612 permits.
contract DollarCoin {
    string public name;
    string public symbol;
    uint8 public decimals;
    address public owner;
    bool public paused;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlacklisted;
    mapping(address => bool) public isMinter;
    mapping(address => uint256) public nonces;

    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Blacklisted(address indexed account);
    event UnBlacklisted(address indexed account);

    modifier onlyOwner() {
        require(msg.sender == owner, "Caller is not the owner");
        _;
    }

    modifier allows(address account) {
        require(!paused, "Paused");
        require(!isBlacklisted[account], "Account is blacklisted");
        _;
    }

    function initialize(string calldata name_, string calldata symbol_, uint8 decimals_, address owner_) external {
        require(owner == address(0), "Already initialized");
        (name, symbol, decimals, owner) = (name_, symbol_, decimals_, owner_);
        isMinter[owner_] = true;
    }

    function transfer(address to, uint256 amount) external allows(msg.sender) allows(to) returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(
        address from,
        address to,
        uint256 amount
    ) external allows(msg.sender) allows(from) allows(to) returns (bool) {
        require(amount <= allowance[from][msg.sender], "Transfer amount exceeds allowance");
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) external allows(msg.sender) allows(spender) returns (bool) {
        _approve(msg.sender, spender, amount);
        return true;
    }

    function permit(
        address holder,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external allows(holder) allows(spender) {
        require(block.timestamp <= deadline, "Permit is expired");
        bytes32 message = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, nonces[holder]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message)), v, r, s);
        require(signer != address(0) && signer == holder, "Invalid signature");
        _approve(holder, spender, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                    keccak256(bytes(name)),
                    keccak256("2"),
                    block.chainid,
                    address(this)
                )
            );
    }

    function mint(address to, uint256 amount) external allows(msg.sender) allows(to) returns (bool) {
        require(isMinter[msg.sender], "Caller is not a minter");
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
        return true;
    }

    function burn(uint256 amount) external allows(msg.sender) {
        require(isMinter[msg.sender], "Caller is not a minter");
        totalSupply -= amount;
        balanceOf[msg.sender] -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }

    function setMinter(address account, bool value) external onlyOwner {
        isMinter[account] = value;
    }

    function setPaused(bool value) external onlyOwner {
        paused = value;
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function _approve(address holder, address spender, uint256 amount) private {
        allowance[holder][spender] = amount;
        emit Approval(holder, spender, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(amount <= balanceOf[from], "Transfer amount exceeds balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
