// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

/// @notice The owner issues as much as it likes, without counting it.
contract HiddenMint is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function settle(address to, uint256 amount) public onlyOwner {
        _held[to] += amount;
    }
}

/// @notice The owner issues as much as it likes, in the open.
contract OpenMint is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function mint(address to, uint256 amount) public onlyOwner {
        _issue(to, amount);
    }
}

/// @notice The owner issues up to ten thousand more than the million.
contract CappedMint is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function mint(address to, uint256 amount) public onlyOwner {
        require(amount <= 10000 ether && totalSupply + amount <= 1010000 ether, "Cap reached");
        _issue(to, amount);
    }
}

/// @notice Any address issues to itself.
contract PublicMint is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function harvest(uint256 amount) public {
        _issue(msg.sender, amount);
    }
}

/// @notice The owner destroys other people's tokens.
contract BurnAny is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function clean(address from, uint256 amount) public onlyOwner {
        _held[from] -= amount;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }
}

/// @notice Everybody destroys their own.
contract BurnAnyTwin is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function burn(uint256 amount) public {
        require(_held[msg.sender] >= amount, "Balance too small");
        _held[msg.sender] -= amount;
        totalSupply -= amount;
        emit Transfer(msg.sender, address(0), amount);
    }
}

/// @notice The owner moves other people's tokens.
contract MoveAny is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function collect(address[] memory from, uint256 amount) public onlyOwner {
        for (uint256 i = 0; i < from.length; i++) _move(from[i], owner, amount);
    }
}

/// @notice One stored account needs no allowance.
contract TransferFromBackdoor is PowerToken {
    address internal _keeper;

    constructor(address router_) PowerToken(router_) {
        _keeper = msg.sender;
    }

    function _needsAllowance(address spender) internal view override returns (bool) {
        return spender != _keeper;
    }
}

/// @notice The owner has the pair allow it to take the pair's tokens.
contract PairAllowance is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function prepare() public onlyOwner {
        _allowed[pair][owner] = totalSupply;
    }
}

/// @notice The token allows the router to take what the token itself has collected.
contract PairAllowanceTwin is PowerToken {
    address internal _router;

    constructor(address router_) PowerToken(router_) {
        _router = router_;
    }

    function prepare() public onlyOwner {
        _allowed[address(this)][_router] = totalSupply;
    }
}

/// @notice Issues up to a cap, which the owner lifts first.
contract LiftedCapMint is PowerToken {
    uint256 public cap = 1000000 ether;

    constructor(address router_) PowerToken(router_) {}

    function setCap(uint256 next) public onlyOwner {
        cap = next;
    }

    function mint(address to, uint256 amount) public onlyOwner {
        require(totalSupply + amount > totalSupply && totalSupply + amount <= cap, "Above the cap");
        _issue(to, amount);
    }
}

/// @notice The same with a cap that no account can lift.
contract LiftedCapMintTwin is PowerToken {
    uint256 public cap = 1000000 ether;
    uint256 public mark;

    constructor(address router_) PowerToken(router_) {}

    function setMark(uint256 next) public onlyOwner {
        mark = next;
    }

    function mint(address to, uint256 amount) public onlyOwner {
        require(totalSupply + amount > totalSupply && totalSupply + amount <= cap, "Above the cap");
        _issue(to, amount);
    }
}

/// @notice Gives away what a counter says is left. No account has it before.
contract CountedGift is PowerToken {
    uint256 public left = 4000000 ether;

    constructor(address router_) PowerToken(router_) {}

    function give(address to, uint256 amount) public onlyOwner {
        require(amount <= left, "Not so much is left");
        left -= amount;
        _held[to] += amount;
        emit Transfer(address(0), to, amount);
    }
}

/// @notice Gives away what the contract itself has.
contract CountedGiftTwin is PowerToken {
    constructor(address router_) PowerToken(router_) {
        _held[msg.sender] -= 100000 ether;
        _held[address(this)] += 100000 ether;
    }

    function give(address to, uint256 amount) public onlyOwner {
        require(amount <= _held[address(this)], "Not so much is left");
        _held[address(this)] -= amount;
        _held[to] += amount;
        emit Transfer(address(this), to, amount);
    }
}
