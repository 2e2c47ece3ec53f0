// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

/// @notice A token that a probe account holds on the fork: plain, with both kinds of permit and with authorizations. Never deployed anywhere.
contract ProbeToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(keccak256("EIP712Domain(address verifyingContract)"), address(this)));
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        return _approve(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= amount, "Allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        return _move(from, to, amount);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(deadline >= block.timestamp, "Expired");
        bytes32 typeHash = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        _check(owner, keccak256(abi.encode(typeHash, owner, spender, value, nonces[owner]++, deadline)), v, r, s);
        _approve(owner, spender, value);
    }

    function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s) external {
        require(expiry == 0 || expiry >= block.timestamp, "Expired");
        require(nonce == nonces[holder]++, "Nonce");
        bytes32 typeHash = keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
        _check(holder, keccak256(abi.encode(typeHash, holder, spender, nonce, expiry, allowed)), v, r, s);
        _approve(holder, spender, allowed ? type(uint256).max : 0);
    }

    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    /// @dev EIP-3009. What is signed are the first six words of the call.
    function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 typeHash = keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");
        require(block.timestamp > validAfter && block.timestamp < validBefore, "Time");
        _authorize(typeHash, from, nonce, v, r, s);
        _move(from, to, value);
    }

    function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 typeHash = keccak256("ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");
        require(to == msg.sender && block.timestamp > validAfter && block.timestamp < validBefore, "Time or caller");
        _authorize(typeHash, from, nonce, v, r, s);
        _move(from, to, value);
    }

    function _authorize(bytes32 typeHash, address from, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) internal {
        require(!authorizationState[from][nonce], "Used");
        authorizationState[from][nonce] = true;
        _check(from, keccak256(abi.encodePacked(typeHash, msg.data[4:196])), v, r, s);
    }

    function _check(address signer, bytes32 message, uint8 v, bytes32 r, bytes32 s) internal view {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message));
        require(signer != address(0) && ecrecover(digest, v, r, s) == signer, "Signature");
    }

    function _approve(address owner, address spender, uint256 amount) internal returns (bool) {
        allowance[owner][spender] = amount;
        emit Approval(owner, spender, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal returns (bool) {
        require(balanceOf[from] >= amount, "Balance");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
        return true;
    }
}

/// @notice A collection that a probe account holds on the fork, ERC-721 and ERC-1155 at once. Never deployed anywhere.
contract ProbeNft {
    mapping(uint256 => address) public ownerOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(uint256 => mapping(address => uint256)) internal _held;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

    function balanceOf(address who, uint256 id) external view returns (uint256) {
        return _held[id][who];
    }

    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
    }

    function transferFrom(address from, address to, uint256 id) external {
        _move(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        _move(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id, bytes calldata) external {
        _move(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata) external {
        _moveMany(from, to, id, amount);
    }

    function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata) external {
        for (uint256 i = 0; i < ids.length; i++) _moveMany(from, to, ids[i], amounts[i]);
    }

    function _move(address from, address to, uint256 id) internal {
        require(msg.sender == from || isApprovedForAll[from][msg.sender], "Not approved");
        require(ownerOf[id] == from, "Not the owner");
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }

    function _moveMany(address from, address to, uint256 id, uint256 amount) internal {
        require(msg.sender == from || isApprovedForAll[from][msg.sender], "Not approved");
        require(_held[id][from] >= amount, "Balance");
        _held[id][from] -= amount;
        _held[id][to] += amount;
        emit TransferSingle(msg.sender, from, to, id, amount);
    }
}
