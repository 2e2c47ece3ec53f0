// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice A plain token whose rules of approval differ. The deployer has no privileges.
abstract contract ApprovalRules {
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1_000_000 ether;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) internal _allowed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor() {
        balanceOf[msg.sender] = totalSupply;
    }

    function allowance(address owner, address spender) public view virtual returns (uint256) {
        return _allowed[owner][spender];
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external virtual returns (bool) {
        uint256 allowed = allowance(from, msg.sender);
        require(allowed >= amount, "Allowance too small");
        if (allowed != type(uint256).max) _allowed[from][msg.sender] = allowed - amount;
        _move(from, to, amount);
        return true;
    }

    function _set(address spender, uint256 amount) internal {
        _allowed[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function _move(address from, address to, uint256 amount) internal {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}

/// @notice Every change has to come from zero or go to it, and nothing is answered: USDT.
contract ApprovalFromZero is ApprovalRules {
    function approve(address spender, uint256 amount) external {
        require(amount == 0 || _allowed[msg.sender][spender] == 0);
        _set(spender, amount);
    }
}

/// @notice Says no instead of reverting, as tokens of 2017 do.
contract ApprovalAnswersNo is ApprovalRules {
    function approve(address spender, uint256 amount) external returns (bool) {
        if (amount != 0 && _allowed[msg.sender][spender] != 0) return false;
        _set(spender, amount);
        return true;
    }
}

/// @notice Says no and does as it was told.
contract ApprovalDeniesItself is ApprovalRules {
    function approve(address spender, uint256 amount) external returns (bool) {
        _set(spender, amount);
        return false;
    }
}

/// @notice Zero is refused: BNB on Ethereum.
contract ApprovalRefusesZero is ApprovalRules {
    function approve(address spender, uint256 amount) external returns (bool) {
        require(amount > 0);
        _set(spender, amount);
        return true;
    }
}

/// @notice What stands can only be raised.
contract ApprovalOnlyRises is ApprovalRules {
    function approve(address spender, uint256 amount) external returns (bool) {
        require(_allowed[msg.sender][spender] == 0, "Raise it");
        _set(spender, amount);
        return true;
    }

    function increaseAllowance(address spender, uint256 added) external returns (bool) {
        _set(spender, _allowed[msg.sender][spender] + added);
        return true;
    }
}

/// @notice All or nothing.
contract ApprovalUnlimitedOnly is ApprovalRules {
    function approve(address spender, uint256 amount) external returns (bool) {
        require(amount == 0 || amount == type(uint256).max, "All or nothing");
        _set(spender, amount);
        return true;
    }
}

/// @notice One spender may take everything of everybody, and nothing else can be said of it: Solady's tokens and Permit2.
contract ApprovalFixedForPermit2 is ApprovalRules {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    function allowance(address owner, address spender) public view override returns (uint256) {
        return spender == PERMIT2 ? type(uint256).max : super.allowance(owner, spender);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(spender != PERMIT2 || amount == type(uint256).max, "Permit2 is approved");
        _set(spender, amount);
        return true;
    }
}

/// @notice Who has an allowance out can never change it: the trap beside them.
contract ApprovalForOnce is ApprovalRules {
    function approve(address spender, uint256 amount) external returns (bool) {
        require(_allowed[msg.sender][spender] == 0 && amount > 0, "Once");
        _set(spender, amount);
        return true;
    }
}

/// @notice Only what no exchange's front end offers lets a spender.
contract ApprovalRaisesFromZero is ApprovalRules {
    function approve(address, uint256) external pure returns (bool) {
        revert("Raise it");
    }

    function increaseAllowance(address spender, uint256 added) external returns (bool) {
        _set(spender, _allowed[msg.sender][spender] + added);
        return true;
    }
}
