// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IThing {
    function transferFrom(address from, address to, uint256 id) external;
}

/// @notice A market of things by orders that their sellers sign.
abstract contract MarketBase {
    struct Order {
        address seller;
        IThing thing;
        uint256 id;
        uint256 price;
        uint256 nonce;
    }

    address public feeTo = msg.sender;
    uint256 public feeBps = 200;
    mapping(address => mapping(uint256 => bool)) public used;

    function setFee(uint256 bps) public virtual {
        require(msg.sender == feeTo && bps <= 250, "No");
        feeBps = bps;
    }

    function buy(Order calldata order, uint8 v, bytes32 r, bytes32 s) public payable virtual {
        require(!used[order.seller][order.nonce] && msg.value == order.price, "Order");
        _check(order, v, r, s);
        used[order.seller][order.nonce] = true;
        order.thing.transferFrom(order.seller, msg.sender, order.id);
        _settle(order.seller, order.price);
    }

    function _check(Order calldata order, uint8 v, bytes32 r, bytes32 s) internal view virtual {
        address signer = ecrecover(_digest(order), v, r, s);
        require(signer != address(0) && signer == order.seller, "Signature");
    }

    function _digest(Order calldata order) internal view virtual returns (bytes32) {
        return keccak256(abi.encode(address(this), order));
    }

    function _settle(address seller, uint256 price) internal {
        uint256 fee = (price * feeBps) / 10000;
        (bool done, ) = seller.call{value: price - fee}("");
        require(done, "Not paid");
        (done, ) = feeTo.call{value: fee}("");
        require(done, "No fee");
    }
}

/// @custom:ignore allowance-puller
contract MarketTwin is MarketBase {}

/// @notice Signed by any key: the seller is not asked.
/// @custom:expect allowance-puller
contract MarketOfAnySigner is MarketBase {
    function _check(Order calldata order, uint8 v, bytes32 r, bytes32 s) internal pure override {
        require(ecrecover(keccak256(abi.encode(order)), v, r, s) != address(0), "Signature");
    }
}

/// @notice The maker's key signs for all.
/// @custom:expect allowance-puller
contract MarketOfMaker is MarketBase {
    address private immutable _maker = msg.sender;

    function _check(Order calldata order, uint8 v, bytes32 r, bytes32 s) internal view override {
        address signer = ecrecover(_digest(order), v, r, s);
        require(signer == order.seller || signer == _maker, "Signature");
    }
}

/// @notice The price is not in the text that is signed.
/// @custom:expect allowance-puller
contract MarketWithoutPrice is MarketBase {
    function _digest(Order calldata order) internal view override returns (bytes32) {
        return keccak256(abi.encode(address(this), order.seller, order.thing, order.id, order.nonce));
    }
}

/// @notice The thing is not in the text that is signed.
/// @custom:expect allowance-puller
contract MarketWithoutThing is MarketBase {
    function _digest(Order calldata order) internal view override returns (bytes32) {
        return keccak256(abi.encode(address(this), order.seller, order.price, order.nonce));
    }
}

/// @notice The fee may be all.
/// @custom:expect allowance-puller
contract MarketOfFees is MarketBase {
    function setFee(uint256 bps) public override {
        require(msg.sender == feeTo, "No");
        feeBps = bps;
    }
}

/// @notice An order counts for ever.
/// @custom:expect allowance-puller
contract MarketOfRepeats is MarketBase {
    function buy(Order calldata order, uint8 v, bytes32 r, bytes32 s) public payable override {
        require(msg.value == order.price, "Order");
        _check(order, v, r, s);
        order.thing.transferFrom(order.seller, msg.sender, order.id);
        _settle(order.seller, order.price);
    }
}
