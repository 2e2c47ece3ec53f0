// SPDX-License-Identifier: MIT
pragma solidity >=0.6.12 <0.9.0;

import {PowerToken} from "./PowerToken.sol";

/// @notice Any address may report a holder. Each fixture decides by something else about the reports.
abstract contract Reported is PowerToken {
    constructor(address router_) PowerToken(router_) {}

    function _check(address from, address to, uint256) internal view virtual override {
        require(!_isSell(from, to) || !_isOut(from), "Reported");
    }

    function _isOut(address) internal view virtual returns (bool) {
        return false;
    }
}

/// @notice Three reports of one account are enough.
contract ReportCount is Reported {
    mapping(address => uint256) public reports;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        reports[holder] += 1;
    }

    function _isOut(address holder) internal view virtual override returns (bool) {
        return reports[holder] >= 3;
    }
}

/// @notice So many that no buyer is ever reported as often.
contract ReportCountTwin is ReportCount {
    constructor(address router_) ReportCount(router_) {}

    function _isOut(address holder) internal view virtual override returns (bool) {
        return reports[holder] >= 10**9;
    }
}

/// @notice Five accounts have to agree, and each account of a stranger is one.
contract ReportsOfMany is Reported {
    struct File {
        uint64 since;
        uint32 reports;
    }

    mapping(address => File) public files;
    mapping(address => mapping(address => bool)) public hasReported;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        require(!hasReported[msg.sender][holder], "Once");
        hasReported[msg.sender][holder] = true;
        files[holder].reports += 1;
    }

    function _isOut(address holder) internal view virtual override returns (bool) {
        return files[holder].reports >= 5;
    }
}

/// @notice Who votes once is counted, and votes decide about nothing that is sold.
contract ReportsOfManyTwin is ReportsOfMany {
    uint256 public known;

    constructor(address router_) ReportsOfMany(router_) {}

    function _isOut(address) internal view override returns (bool) {
        return false;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (files[from].reports >= 5) known += 1;
        super._move(from, to, amount);
    }
}

/// @notice Each report costs ten percent of a sale.
contract ReportFee is Reported {
    mapping(address => uint256) public points;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        points[holder] += 10;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return points[from] > 90 ? 90 : points[from];
    }
}

/// @notice A percent for each report, up to nine tenths: it takes many.
contract PatientReportFee is Reported {
    mapping(address => uint256) public points;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        points[holder] += 1;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return points[from] > 90 ? 90 : points[from];
    }
}

/// @notice The fee stops at two percent, however often an account is reported.
contract ReportFeeTwin is Reported {
    mapping(address => uint256) public points;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        points[holder] += 1;
    }

    function _feePercent(address from, address to) internal view override returns (uint256) {
        if (!_isSell(from, to)) return 0;
        return points[from] > 2 ? 2 : points[from];
    }
}

/// @notice A report does nothing for two days.
contract SlowReport is Reported {
    mapping(address => uint256) public since;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        require(since[holder] == 0, "Known");
        since[holder] = block.timestamp;
    }

    function _isOut(address holder) internal view virtual override returns (bool) {
        return since[holder] != 0 && block.timestamp > since[holder] + 2 days;
    }
}

/// @notice A report makes its holder wait for some minutes, once.
contract SlowReportTwin is SlowReport {
    constructor(address router_) SlowReport(router_) {}

    function _isOut(address holder) internal view virtual override returns (bool) {
        return since[holder] != 0 && block.timestamp > since[holder] + 2 days && since[holder] < 1;
    }
}

/// @notice Holders stand in a list, and a report names a place in it.
contract ReportedPlace is Reported {
    struct Seat {
        address holder;
        bool isOut;
    }

    Seat[] public seats;
    mapping(address => uint256) public seatOf;

    constructor(address router_) Reported(router_) {
        for (uint256 i = 0; i < 5; i++) seats.push(Seat(address(this), false));
    }

    function report(uint256 place) external virtual {
        seats[place].isOut = true;
    }

    function _isOut(address holder) internal view virtual override returns (bool) {
        return seatOf[holder] != 0 && seats[seatOf[holder] - 1].isOut;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (from != pair || seatOf[to] != 0) return;
        seats.push(Seat(to, false));
        seatOf[to] = seats.length;
    }
}

/// @notice Who is greeted at a place is asked for at a sale, and sells.
contract ReportedPlaceTwin is ReportedPlace {
    mapping(address => uint256) public greeted;

    constructor(address router_) ReportedPlace(router_) {}

    function report(uint256 place) external override {
        greeted[seats[place].holder] = block.timestamp;
    }
}

/// @notice A report of the right number closes the sale, and others turn some bits.
contract ReportedBits is Reported {
    mapping(address => uint256) public bits;

    constructor(address router_) Reported(router_) {}

    function report(address holder, uint256 number) external {
        bits[holder] = bits[holder] ^ (number << 40);
    }

    function _isOut(address holder) internal view virtual override returns (bool) {
        return (bits[holder] >> 40) % 65536 == 48879;
    }
}

/// @notice The bits of an account are its picture.
contract ReportedBitsTwin is ReportedBits {
    event Pictured(address holder, bool isRare);

    constructor(address router_) ReportedBits(router_) {}

    function _isOut(address) internal view override returns (bool) {
        return false;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        emit Pictured(from, (bits[from] >> 40) % 65536 == 48879);
    }
}

/// @notice Holders report each other.
contract ReportOfHolders is Reported {
    mapping(address => bool) public isReported;

    constructor(address router_) Reported(router_) {}

    function report(address holder) external {
        require(_held[msg.sender] > 0 && msg.sender != holder, "Only for others that hold");
        isReported[holder] = true;
    }

    function _isOut(address holder) internal view virtual override returns (bool) {
        return isReported[holder];
    }
}

/// @notice Holders recommend each other.
contract ReportOfHoldersTwin is ReportOfHolders {
    event Recommended(address holder);

    constructor(address router_) ReportOfHolders(router_) {}

    function _isOut(address) internal view override returns (bool) {
        return false;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (isReported[from]) emit Recommended(from);
    }
}
