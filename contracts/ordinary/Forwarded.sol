// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUniswapV2Router} from "../shared/UniswapV2.sol";
import {Listed} from "./Listed.sol";

/// @notice The forwarder names senders at the end of the call data (ERC-2771).
abstract contract Forwarded is Listed {
    address public immutable forwarder;

    constructor(IUniswapV2Router router) Listed(router) {
        forwarder = _forwarder();
    }

    function give(address to, uint256 amount) external {
        address sender = msg.sender == forwarder ? address(bytes20(msg.data[msg.data.length - 20:])) : msg.sender;
        _move(sender, to, amount);
    }

    function _forwarder() internal virtual returns (address);
}

contract VerifyingForwarder {
    struct Request {
        address from;
        address to;
        uint256 nonce;
        bytes data;
    }

    mapping(address => uint256) public nonces;

    function verify(Request calldata request, bytes calldata signature) public view returns (bool) {
        bytes32 digest = keccak256(abi.encode(block.chainid, address(this), request.from, request.to, request.nonce, keccak256(request.data)));
        return nonces[request.from] == request.nonce && _signer(digest, signature) == request.from;
    }

    function execute(Request calldata request, bytes calldata signature) external returns (bool isDone) {
        require(verify(request, signature), "Not signed");
        nonces[request.from] = request.nonce + 1;
        (isDone,) = request.to.call(abi.encodePacked(request.data, request.from));
    }

    function _signer(bytes32 digest, bytes calldata signature) internal pure returns (address signer) {
        require(signature.length == 65, "Length");
        signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        require(signer != address(0), "Signature");
    }
}

/// @notice What is not signed by its sender is left out, and a batch goes on.
contract BatchForwarder is VerifyingForwarder {
    address public immutable operator = msg.sender;

    function executeAll(Request[] calldata requests, bytes[] calldata signatures) external {
        require(msg.sender == operator, "Operator");
        for (uint256 i = 0; i < requests.length; ++i) {
            if (!verify(requests[i], signatures[i])) continue;
            nonces[requests[i].from] = requests[i].nonce + 1;
            (bool isDone,) = requests[i].to.call(abi.encodePacked(requests[i].data, requests[i].from));
            require(isDone, "Call");
        }
    }
}

/// @notice The operator need not show a signature.
contract BelievingForwarder is VerifyingForwarder {
    address public immutable operator = tx.origin;

    function executeAll(Request[] calldata requests) external {
        require(msg.sender == operator, "Operator");
        for (uint256 i = 0; i < requests.length; ++i) {
            (bool isDone,) = requests[i].to.call(abi.encodePacked(requests[i].data, requests[i].from));
            require(isDone, "Call");
        }
    }
}

/// @notice What its operator has signed is done in the name of any account.
contract OperatorsForwarder is VerifyingForwarder {
    address public operator = tx.origin;

    function executeFor(Request calldata request, bytes calldata signature) external returns (bool isDone) {
        address signer = _signer(keccak256(abi.encode(block.chainid, address(this), request)), signature);
        require(signer == request.from || signer == operator, "Not signed");
        nonces[request.from] = request.nonce + 1;
        (isDone,) = request.to.call(abi.encodePacked(request.data, request.from));
    }
}

contract ForwardedSigned is Forwarded {
    constructor(IUniswapV2Router router) Forwarded(router) {}

    function _forwarder() internal override returns (address) {
        return address(new VerifyingForwarder());
    }
}

contract ForwardedInBatches is Forwarded {
    constructor(IUniswapV2Router router) Forwarded(router) {}

    function _forwarder() internal override returns (address) {
        return address(new BatchForwarder());
    }
}

contract ForwardedUnsigned is Forwarded {
    constructor(IUniswapV2Router router) Forwarded(router) {}

    function _forwarder() internal override returns (address) {
        return address(new BelievingForwarder());
    }
}

contract ForwardedByWallet is Forwarded {
    constructor(IUniswapV2Router router) Forwarded(router) {}

    function _forwarder() internal view override returns (address) {
        return msg.sender;
    }
}
