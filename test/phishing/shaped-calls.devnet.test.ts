import { expect, test } from 'vitest'
import { someOf } from '../some-of.js'
import { checkCompiled, type Expected, SHARE, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

/** Calls whose bytes the caller brings, and that code takes apart and puts together on the way. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function transferFrom(address, address, uint256) external returns (bool); }
interface IPlan { function plan() external view returns (bytes memory); }
abstract contract Paid {
  mapping(address => uint256) public held;
  function pay(IToken t, uint256 a) external { held[msg.sender] += a; t.transferFrom(msg.sender, address(this), a); }
}

contract SlicedRoute is Paid {
  function swap(address venue, bytes calldata route, uint256 header) external { (bool ok, ) = venue.call(route[header:]); require(ok); }
}
contract SlicedByHeader is Paid {
  function swap(address venue, bytes calldata route) external { uint256 n = uint8(route[0]); (bool ok, ) = venue.call(route[n:]); require(ok); }
}
contract SlicedOfKeeper {
  address private immutable keeper = msg.sender;
  function swap(address venue, bytes calldata route, uint256 header) external { require(msg.sender == keeper); (bool ok, ) = venue.call(route[header:]); require(ok); }
}
contract CopiedWords is Paid {
  function run(address venue, uint256 length, uint256[] calldata words) external {
    bytes memory data = new bytes(length);
    for (uint256 i; i < words.length; i++) { uint256 w = words[i]; assembly { mstore(add(add(data, 32), mul(i, 32)), w) } }
    (bool ok, ) = venue.call(data); require(ok);
  }
}
contract JoinedHalves is Paid {
  function run(address venue, bytes calldata head, bytes calldata tail) external { (bool ok, ) = venue.call(bytes.concat(head, tail)); require(ok); }
}
contract TurnedBytes is Paid {
  function run(address venue, bytes calldata data) external {
    bytes memory turned = new bytes(data.length);
    for (uint256 i; i < data.length; i++) turned[i] = data[data.length - 1 - i];
    (bool ok, ) = venue.call(turned); require(ok);
  }
}
contract RaisedBytes is Paid {
  function run(address venue, bytes calldata data) external {
    bytes memory raised = new bytes(data.length);
    for (uint256 i; i < data.length; i++) { unchecked { raised[i] = bytes1(uint8(data[i]) + uint8(7 * i)); } }
    (bool ok, ) = venue.call(raised); require(ok);
  }
}

contract PackedWords {
  address private immutable keeper = msg.sender;
  function run(address venue, uint32 s, uint256 a, uint256 b, uint256 v) external { require(msg.sender == keeper); (bool ok, ) = venue.call(abi.encodePacked(s, ~a, b, v)); require(ok); }
}
contract CodeOfAnother is Paid {
  function run(address venue, address plan) external { (bool ok, ) = venue.call(plan.code); require(ok); }
}
contract AnswerOfAnother is Paid {
  function run(address venue, IPlan plan) external { (bool ok, ) = venue.call(plan.plan()); require(ok); }
}
contract TailOfTheCall is Paid {
  function run(address venue) external { (bool ok, ) = venue.call(msg.data[36:]); require(ok); }
}

contract Interpreter is Paid {
  function run(bytes calldata program) external {
    uint256[8] memory r; bytes memory out = new bytes(256); uint256 at;
    while (at < program.length) {
      uint8 op = uint8(program[at]); uint8 a = uint8(program[at + 1]);
      if (op == 0) { r[a % 8] = uint256(bytes32(program[at + 2:at + 34])); at += 34; }
      else if (op == 1) { uint256 w = r[a % 8]; uint256 to = uint8(program[at + 2]); assembly { mstore(add(add(out, 32), to), w) } at += 3; }
      else if (op == 2) { uint256 to = r[a % 8]; uint256 n = r[(a + 1) % 8]; assembly { if iszero(call(gas(), to, 0, add(out, 32), n, 0, 0)) { revert(0, 0) } } at += 2; }
      else return;
    }
  }
}
contract LetterBox is Paid {
  function _v(uint8 c) private pure returns (uint256) { if (c >= 65 && c <= 90) return c - 65; if (c >= 97 && c <= 122) return c - 71; if (c >= 48 && c <= 57) return c + 4; return c == 43 ? 62 : 63; }
  function run(address venue, string calldata letter) external {
    bytes memory b = bytes(letter); bytes memory out = new bytes(b.length / 4 * 3);
    for (uint256 i = 0; i < b.length / 4; i++) {
      uint256 q = _v(uint8(b[4 * i])) << 18 | _v(uint8(b[4 * i + 1])) << 12 | _v(uint8(b[4 * i + 2])) << 6 | _v(uint8(b[4 * i + 3]));
      out[3 * i] = bytes1(uint8(q >> 16)); out[3 * i + 1] = bytes1(uint8(q >> 8)); out[3 * i + 2] = bytes1(uint8(q));
    }
    (bool ok, ) = venue.call(out); require(ok);
  }
}
contract OpenBesideHidden {
  address private immutable keeper = msg.sender;
  function swap(address venue, bytes calldata route, uint256 header) external { (bool ok, ) = venue.call(route[header:]); require(ok); }
  function run(bytes calldata program) external {
    require(msg.sender == keeper);
    bytes memory out = new bytes(256); address venue;
    for (uint256 at; at + 34 <= program.length; at += 34) {
      uint8 op = uint8(program[at]); uint256 w = uint256(bytes32(program[at + 2:at + 34])); uint256 to = uint8(program[at + 1]);
      if (op == 201) venue = address(uint160(w));
      else if (op == 202) { assembly { mstore(add(add(out, 32), to), w) } }
      else if (op == 203) { assembly { if iszero(call(gas(), venue, 0, add(out, 32), w, 0, 0)) { revert(0, 0) } } }
    }
  }
}
contract StoredWords {
  uint256[] private words; address private venue; uint256 private size;
  function note(uint256 w) external { words.push(w); }
  function aim(address v, uint256 s) external { venue = v; size = s; }
  function go() external {
    bytes memory data = new bytes(size);
    for (uint256 i; i < words.length; i++) { uint256 w = words[i]; assembly { mstore(add(add(data, 32), mul(i, 32)), w) } }
    (bool ok, ) = venue.call(data); require(ok);
  }
}

contract Child {
  address private immutable maker = msg.sender;
  function go(address venue, bytes calldata d) external { require(msg.sender == maker); (bool ok, ) = venue.call(d); require(ok); }
}
contract HonestChild {
  Child private immutable child = new Child();
  function swap(IToken t, uint256 a, address venue, bytes calldata route, uint256 header) external {
    t.transferFrom(msg.sender, address(child), a); child.go(venue, route[header:]);
  }
}
contract HonestInterpreter {
  function run(bytes calldata program) external {
    uint256[8] memory r; uint256 at;
    while (at < program.length) {
      uint8 op = uint8(program[at]); uint8 a = uint8(program[at + 1]);
      if (op == 0) { r[a % 8] = uint256(bytes32(program[at + 2:at + 34])); at += 34; }
      else if (op == 1) { IToken(address(uint160(r[a % 8]))).transferFrom(msg.sender, address(uint160(r[(a + 1) % 8])), r[(a + 2) % 8]); at += 2; }
      else return;
    }
  }
}
contract HonestNotice {
  function swap(IToken t, uint256 a, address hook, bytes calldata note, uint256 header) external {
    t.transferFrom(msg.sender, hook, a);
    (bool ok, ) = hook.call(abi.encodeWithSignature("onReceived(address,uint256,bytes)", msg.sender, a, note[header:])); require(ok);
  }
}
contract HonestWages {
  function pay(address payable[] calldata to, uint256[] calldata wei_) external payable {
    for (uint256 i; i < to.length; i++) { (bool ok, ) = to[i].call{value: wei_[i]}(""); require(ok); }
  }
}
`

const EXPECTED: Expected = {
  SlicedRoute: ['exposed-approvals', 45],
  SlicedByHeader: ['exposed-approvals', 45],
  SlicedOfKeeper: ['guarded-executor', 45],
  CopiedWords: ['exposed-approvals', 45],
  JoinedHalves: ['exposed-approvals', 45],
  TurnedBytes: ['exposed-approvals', 45],
  RaisedBytes: ['exposed-approvals', 45],
  PackedWords: ['guarded-executor', 45],
  CodeOfAnother: ['exposed-approvals', 45],
  AnswerOfAnother: ['exposed-approvals', 45],
  TailOfTheCall: ['exposed-approvals', 45],
}

const codes = compileSolidity(SOURCE)
const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)

test.each(someOf(['Interpreter', 'LetterBox', 'OpenBesideHidden', 'StoredWords'], SHARE))(
  'a call of %s that nothing was seen to go out by is no safe one',
  async (name) => {
    const { verdict, reason } = await check(name)
    expect([verdict, reason]).toEqual(['INCONCLUSIVE', expect.stringMatching('was not tried|resisted')])
  },
)
