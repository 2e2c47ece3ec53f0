import { expect, test } from 'vitest'
import { someOf } from '../some-of.js'
import { checkCompiled, type Expected, SHARE, testExpected, testHonest } from './check-compiled.js'
import { compileSolidity } from './grammar.js'

/** Calls whose bytes the caller brings, and that code takes apart and puts together on the way. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function transferFrom(address, address, uint256) external returns (bool); }
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
}

const codes = compileSolidity(SOURCE)
const check = checkCompiled(codes)
testExpected(EXPECTED, check)
testHonest(codes, check)

test.each(someOf(['Interpreter', 'StoredWords'], SHARE))(
  'a call of %s that nothing was seen to go out by is no safe one',
  async (name) => {
    const { verdict, reason } = await check(name)
    expect([verdict, reason]).toEqual(['INCONCLUSIVE', expect.stringContaining('was not tried')])
  },
)
