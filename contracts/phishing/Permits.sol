// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;
pragma experimental ABIEncoderV2;

import {IAuthorized, IDaiPermit, IPermit, IPermit2, IToken} from "./Interfaces.sol";
import {Operated} from "./Pullers.sol";

/// @notice Uses a stranger's signature (EIP-2612) for itself.
contract PermitPuller is Operated {
    function claim(address token, address owner, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public {
        IPermit(token).permit(owner, address(this), value, deadline, v, r, s);
        IToken(token).transferFrom(owner, _operator, value);
    }
}

/// @notice The same for DAI's own kind of permit, with the token fixed.
contract DaiPermitPuller is Operated {
    address internal constant DAI = 0x6B175474E89094C44Da98b954EedeAC495271d0F;

    function claim(address holder, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) public onlyOperator {
        IDaiPermit(DAI).permit(holder, address(this), nonce, expiry, true, v, r, s);
        IToken(DAI).transferFrom(holder, _operator, IToken(DAI).balanceOf(holder));
    }
}

/// @notice Uses a payment that was signed for it (EIP-3009), and passes it on.
contract AuthorizationPuller is Operated {
    function redeem(address token, address from, uint256 value, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) public onlyOperator {
        IAuthorized(token).receiveWithAuthorization(from, address(this), value, 0, 2 ** 64, nonce, v, r, s);
        IToken(token).transfer(_operator, value);
    }
}

abstract contract OfPermit2 is Operated {
    IPermit2 internal constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
}

contract Permit2SinglePuller is OfPermit2 {
    function claim(address owner, IPermit2.PermitSingle memory permitted, bytes memory signature) public onlyOperator {
        PERMIT2.permit(owner, permitted, signature);
        PERMIT2.transferFrom(owner, _operator, permitted.details.amount, permitted.details.token);
    }
}

contract Permit2BatchPuller is OfPermit2 {
    function claim(address owner, IPermit2.PermitBatch memory permitted, bytes memory signature) public {
        PERMIT2.permit(owner, permitted, signature);
        for (uint256 i = 0; i < permitted.details.length; i++)
            PERMIT2.transferFrom(owner, _operator, permitted.details[i].amount, permitted.details[i].token);
    }
}

contract Permit2SignaturePuller is OfPermit2 {
    function claim(IPermit2.PermitTransferFrom memory permitted, address owner, bytes memory signature) public onlyOperator {
        IPermit2.SignatureTransferDetails memory details = IPermit2.SignatureTransferDetails(_operator, permitted.permitted.amount);
        PERMIT2.permitTransferFrom(permitted, details, owner, signature);
    }
}

contract Permit2BatchSignaturePuller is OfPermit2 {
    function claim(IPermit2.PermitBatchTransferFrom memory permitted, IPermit2.SignatureTransferDetails[] memory details, address owner, bytes memory signature)
        public
        onlyOperator
    {
        PERMIT2.permitTransferFrom(permitted, details, owner, signature);
    }
}

contract Permit2WitnessPuller is OfPermit2 {
    string internal constant WITNESS = "Claim witness)Claim(uint256 round)TokenPermissions(address token,uint256 amount)";

    function claim(IPermit2.PermitTransferFrom memory permitted, address owner, uint256 round, bytes memory signature) public onlyOperator {
        IPermit2.SignatureTransferDetails memory details = IPermit2.SignatureTransferDetails(_operator, permitted.permitted.amount);
        bytes32 witness = keccak256(abi.encode(keccak256("Claim(uint256 round)"), round));
        PERMIT2.permitWitnessTransferFrom(permitted, details, owner, witness, WITNESS, signature);
    }
}

/// @notice Uses the signature of its caller alone, and keeps book of what came in.
contract PermitStaking {
    mapping(address => mapping(address => uint256)) public staked;

    function stakeWithPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public {
        IPermit(token).permit(msg.sender, address(this), value, deadline, v, r, s);
        staked[token][msg.sender] += value;
        IToken(token).transferFrom(msg.sender, address(this), value);
    }

    function unstake(address token, uint256 value) public {
        staked[token][msg.sender] -= value;
        IToken(token).transfer(msg.sender, value);
    }
}

/// @notice Any address may bring a depositor's signature; the depositor is credited.
contract PermitVault {
    mapping(address => mapping(address => uint256)) public deposited;

    function depositWithPermit(address token, address owner, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public {
        IPermit(token).permit(owner, address(this), value, deadline, v, r, s);
        deposited[owner][token] += value;
        IToken(token).transferFrom(owner, address(this), value);
    }
}
