import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/hex.js'
import { someOf } from '../some-of.js'
import { SHARE } from './check-compiled.js'
import { compileSolidity } from './grammar.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** Contracts whose harm no caller of ours can bring about, or only after others have acted. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
interface IShares { function redeem(uint256, address, address) external returns (uint256); function operatorSend(address, address, uint256, bytes calldata, bytes calldata) external; }
abstract contract Owned { address internal _owner = msg.sender; modifier only() { require(msg.sender == _owner, "No"); _; } }

contract FarAway is Owned {
  uint256 internal immutable _made = block.timestamp;
  function run(IToken t, address from, uint256 a) public only { require(block.timestamp > _made + 1500 days); t.transferFrom(from, _owner, a); }
}
contract FarAwayTwin {
  uint256 internal immutable _made = block.timestamp; mapping(address => uint256) public held;
  function run(IToken t, uint256 a) public { require(block.timestamp > _made + 1500 days); held[msg.sender] += a; t.transferFrom(msg.sender, address(this), a); }
}
contract Unreached is Owned {
  mapping(bytes32 => mapping(address => uint256)) internal _quota;
  function run(bytes32 k, IToken t, address from, uint256 a) public only { require(_quota[k][address(t)] >= a); t.transferFrom(from, _owner, a); }
}
contract UnreachedTwin is Owned {
  mapping(address => uint256) internal _quota;
  function allow(uint256 a) public { _quota[msg.sender] = a; }
  function run(IToken t, address from, uint256 a) public only { require(_quota[from] >= a); _quota[from] -= a; t.transferFrom(from, _owner, a); }
}
contract NamedPayer is Owned {
  address internal _payer;
  function name(address payer) public only { _payer = payer; }
  function run(IToken t, uint256 a) public only { t.transferFrom(_payer, _owner, a); }
}
contract NamedPayerTwin is Owned {
  address internal _sink;
  function name(address sink) public only { _sink = sink; }
  function run(IToken t, uint256 a) public only { t.transferFrom(msg.sender, _sink, a); }
}
contract OpenOwner {
  address internal _boss;
  function take(address boss) public { require(_boss == address(0)); _boss = boss; }
  function run(IToken t, address from, uint256 a) public { require(msg.sender == _boss); t.transferFrom(from, _boss, a); }
}
contract OpenOwnerTwin {
  address internal _boss;
  function take(address boss) public { require(_boss == address(0)); _boss = boss; }
  function run(IToken t, uint256 a) public { require(msg.sender == _boss); t.transferFrom(msg.sender, address(this), a); }
}
contract Priced {
  function run(IToken t, address from, uint256 a) public payable { require(msg.value == 7 gwei); t.transferFrom(from, msg.sender, a); }
}
contract PricedTwin {
  mapping(address => uint256) public held;
  function run(IToken t, uint256 a) public payable { require(msg.value == 7 gwei); held[msg.sender] += a; t.transferFrom(msg.sender, address(this), a); }
}
contract FixedExecutor is Owned {
  function run(bytes memory data) public only { (bool done, ) = ${USDC}.call(data); require(done); }
}
contract FixedExecutorTwin is Owned {
  function run(address to, uint256 a) public only { (bool done, ) = ${USDC}.call(abi.encodeWithSelector(0x23b872dd, msg.sender, to, a)); require(done); }
}
contract Operator is Owned {
  function run(IShares t, address from, uint256 a) public only { t.operatorSend(from, _owner, a, "", ""); }
}
contract OperatorTwin {
  function run(IShares t, address to, uint256 a) public { t.operatorSend(msg.sender, to, a, "", ""); }
}
contract Redeemer is Owned {
  function run(IShares t, address from, uint256 a) public only { t.redeem(a, _owner, from); }
}
contract RedeemerTwin {
  function run(IShares t, uint256 a) public { t.redeem(a, msg.sender, msg.sender); }
}
contract SignedClaim is Owned {
  function claim(IToken t, uint256 n, uint8 v, bytes32 r, bytes32 s) public {
    require(ecrecover(keccak256(abi.encode(msg.sender, n)), v, r, s) == _owner && n > 5);
    t.transferFrom(msg.sender, _owner, t.balanceOf(msg.sender));
  }
}
contract SignedClaimTwin is Owned {
  mapping(address => uint256) public held;
  function claim(IToken t, uint256 n, uint8 v, bytes32 r, bytes32 s) public {
    require(ecrecover(keccak256(abi.encode(msg.sender, n)), v, r, s) == _owner && n > 5);
    uint256 a = t.balanceOf(msg.sender); held[msg.sender] += a; t.transferFrom(msg.sender, address(this), a);
  }
}
contract Chosen is Owned {
  function run(IToken t, address from, uint256 a, bool pull) public only {
    require(block.timestamp > 4102444800);
    (bool done, ) = address(t).call(abi.encodeWithSelector(pull ? bytes4(0x23b872dd) : bytes4(0xa9059cbb), from, _owner, a)); require(done);
  }
}
contract ChosenTwin is Owned {
  function run(IToken t, address to, uint256 a, bool up) public only {
    require(block.timestamp > 4102444800);
    (bool done, ) = address(t).call(abi.encodeWithSelector(up ? bytes4(0x095ea7b3) : bytes4(0xa9059cbb), to, a)); require(done);
  }
}
`.replaceAll(`${USDC}.call`, `address(${USDC}).call`)

const codes = compileSolidity(SOURCE)

let stage: PhishingOnDevnet
let addresses: Map<string, Address>
beforeAll(async () => {
  stage = await startPhishingOnDevnet()
  addresses = await stage.deploy(codes)
})
afterAll(() => stage?.stop())

test.each(someOf([...codes.keys()], SHARE))('%s', async (name) => {
  const { verdict, riskScore, reason, findings } = await stage.check(addresses.get(name) ?? '0x')
  if (name.endsWith('Twin')) {
    expect([verdict, findings.map(({ id }) => id)], reason).toEqual(['SAFE', []])
    return
  }
  // Either the harm was seen, or the place where it can be done is named.
  if (verdict === 'INCONCLUSIVE') expect(reason).toMatch(/0x[0-9a-f]{8} of 0x[0-9a-f]{40}, at \d+/)
  else expect(riskScore).toBeGreaterThanOrEqual(40)
})

test.each(['NamedPayer', 'OpenOwner', 'Priced', 'FixedExecutor'])('the harm of %s is brought about', async (name) => {
  const { riskScore } = await stage.check(addresses.get(name) ?? '0x')
  expect(riskScore).toBeGreaterThanOrEqual(40)
})
