// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {DetectorToken} from "./DetectorToken.sol";

/// @notice The owner stops transfers.
/// @custom:expect trading-switch
/// @custom:ignore whitelist, blacklist
contract TradingSwitch is DetectorToken {
    bool internal _paused;

    function setPaused(bool value) public onlyOwner {
        _paused = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_paused, "Paused");
        super._move(from, to, amount);
    }
}

/// @notice Trading can be opened, and never closed.
/// @custom:ignore trading-switch
contract TradingSwitchTwin is DetectorToken {
    bool internal _open;

    function open() public onlyOwner {
        _open = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(_open, "Not open yet");
        super._move(from, to, amount);
    }
}

/// @notice The owner stops transfers by two calls, of which the second is refused before the first.
/// @custom:expect trading-switch
contract TradingSwitchAnnounced is DetectorToken {
    bool internal _paused;
    uint256 internal _announcedAt;

    function announce() public onlyOwner {
        _announcedAt = block.timestamp;
    }

    function carryOut() public onlyOwner {
        require(_announcedAt > 0, "Not announced");
        _paused = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_paused, "Paused");
        super._move(from, to, amount);
    }
}

/// @notice The owner stops transfers by three calls, each of which opens the way for the next.
/// @custom:expect trading-switch
contract TradingSwitchSteps is DetectorToken {
    bool internal _paused;
    uint8 internal _step;

    function begin() public onlyOwner {
        _step = 7;
    }

    function goOn() public onlyOwner {
        require(_step == 7, "Not yet");
        _step = 9;
    }

    function end() public onlyOwner {
        require(_step == 9, "Not yet");
        _paused = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_paused, "Paused");
        super._move(from, to, amount);
    }
}

/// @notice Transfers could be stopped until the launch, which is over and cannot be taken back; nor do steps lead there that no address can take.
/// @custom:ignore trading-switch
contract TradingSwitchSpent is DetectorToken {
    bool internal _paused;
    bool internal _launched = true;
    bool internal _busy;
    uint8 internal _step;
    uint256 internal _refreshed;

    function launch() public onlyOwner {
        _launched = true;
    }

    function stopBeforeLaunch() public onlyOwner {
        require(!_launched, "Launched");
        _paused = true;
        _launched = false;
    }

    function begin() public onlyOwner {
        _step = 7;
    }

    function stopInTheEnd() public onlyOwner {
        require(_step == 9, "Never");
        _paused = true;
    }

    function refresh() public onlyOwner {
        _busy = true;
        _refreshed = msg.sender.balance + balanceOfSelf();
        _busy = false;
    }

    function balanceOfSelf() internal view returns (uint256) {
        return DetectorToken(address(this)).balanceOf(address(this));
    }

    function stopMeanwhile() public onlyOwner {
        require(_busy, "Never between two calls");
        _paused = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_paused, "Paused");
        super._move(from, to, amount);
    }
}

/// @notice The steps to a stop wait for an owner who is gone, and for one word that only the gone owner writes.
/// @custom:ignore trading-switch
contract TradingSwitchOrphaned is DetectorToken {
    bool internal _paused;
    bool internal _announced;
    address internal _steward = address(0xdEaD);

    function announce() public {
        require(msg.sender == _steward, "Not you");
        _announced = true;
    }

    function carryOut() public onlyOwner {
        require(_announced, "Not announced");
        _paused = true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_paused, "Paused");
        super._move(from, to, amount);
    }
}

/// @notice With the switch off, transfers answer false and move nothing.
/// @custom:expect trading-switch
contract TradingSwitchSilent is DetectorToken {
    bool internal _open = true;

    function setOpen(bool value) public onlyOwner {
        _open = value;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (!_open) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return _open ? super.transferFrom(from, to, amount) : false;
    }
}

/// @notice Anyone may begin the next epoch, and while that is at work no transfer gets in between.
/// @custom:ignore trading-switch
contract EpochLock is DetectorToken {
    bool internal _busy;
    uint256 public epoch;

    function poke() public {
        _busy = true;
        epoch += 1;
        _busy = false;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_busy, "Busy");
        super._move(from, to, amount);
    }
}

/// @notice The same, where nothing ends what an odd number began.
/// @custom:expect trading-switch
contract EpochLockLeftShut is DetectorToken {
    bool internal _busy;
    uint256 public epoch;

    function poke(uint256 number) public {
        _busy = true;
        epoch += 1;
        if (number % 2 == 0) _busy = false;
    }

    function _move(address from, address to, uint256 amount) internal override {
        require(!_busy, "Busy");
        super._move(from, to, amount);
    }
}
