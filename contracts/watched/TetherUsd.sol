// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Owned} from "../shared/Owned.sol";

/// @title A dollar in the shape of USDT on Ethereum
/// @notice Answers nothing on `transfer`, `transferFrom` and `approve`; its owner can pause it, block holders, issue, and set a fee.
contract TetherUsd is Owned {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint256 public constant decimals = 6;
    uint256 private constant HIGHEST_RATE_BPS = 20;
    uint256 private constant HIGHEST_FEE = 50e6;

    uint256 public totalSupply;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Issue(uint256 amount);
    event AddedBlackList(address holder);
    event RemovedBlackList(address holder);

    constructor(uint256 supply) {
        _issue(supply);
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        _move(from, to, amount);
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function issue(uint256 amount) external onlyOwner {
        _issue(amount);
        emit Issue(amount);
    }

    function setPaused(bool value) external onlyOwner {
        paused = value;
    }

    function setParams(uint256 rateBps, uint256 highestFee) external onlyOwner {
        require(rateBps < HIGHEST_RATE_BPS && highestFee < HIGHEST_FEE);
        basisPointsRate = rateBps;
        maximumFee = highestFee;
    }

    function addBlackList(address holder) external onlyOwner {
        isBlackListed[holder] = true;
        emit AddedBlackList(holder);
    }

    function removeBlackList(address holder) external onlyOwner {
        isBlackListed[holder] = false;
        emit RemovedBlackList(holder);
    }

    function _issue(uint256 amount) private {
        totalSupply += amount;
        balanceOf[owner] += amount;
        emit Transfer(address(0), owner, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(!paused && !isBlackListed[from]);
        uint256 fee = (amount * basisPointsRate) / 10_000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        emit Transfer(from, to, amount - fee);
        if (fee == 0) return;
        balanceOf[owner] += fee;
        emit Transfer(from, owner, fee);
    }
}
