import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../src/hex.js'
import { someOf } from '../some-of.js'
import { SHARE } from './check-compiled.js'
import { compileSolidity } from './grammar.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

/** Code that an account takes for its own (EIP-7702), each with something left open; then twins. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function balanceOf(address) external view returns (uint256); function transfer(address, uint256) external returns (bool); function approve(address, uint256) external returns (bool); }
interface INft { function safeTransferFrom(address, address, uint256) external; }
abstract contract Calls {
  function _run(address to, uint256 value, bytes memory data) internal { (bool done, ) = to.call{value: value}(data); require(done, "Failed"); }
  receive() external payable virtual {}
}
abstract contract Own is Calls { modifier own() { require(msg.sender == address(this), "No"); _; } }

contract ZeroSigner is Calls {
  address internal _signer; uint256 internal _nonce;
  function recover(address to, uint256 value, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(address(this), _nonce++, to, value, data)), v, r, s) == _signer, "Bad"); _run(to, value, data);
  }
}
contract ZeroSignerBytes is Calls {
  mapping(uint256 => address) internal _signers;
  function execute(address to, uint256 value, bytes calldata data, bytes calldata sig) external {
    require(sig.length == 65, "Length");
    bytes32 digest = keccak256(abi.encode(address(this), to, value, data));
    require(ecrecover(digest, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64])) == _signers[0], "Bad"); _run(to, value, data);
  }
}
contract ZeroThreshold is Calls {
  uint256 internal _threshold; mapping(address => bool) internal _isOwner;
  function execute(address to, uint256 value, bytes calldata data, bytes calldata sigs) external {
    require(sigs.length == _threshold * 65, "Length");
    for (uint256 i = 0; i < _threshold; i++) require(_isOwner[ecrecover(keccak256(data), uint8(sigs[i * 65 + 64]), bytes32(sigs[i * 65:i * 65 + 32]), bytes32(sigs[i * 65 + 32:i * 65 + 64]))], "Bad");
    _run(to, value, data);
  }
}
contract CoinSweep is Own { function sweep(address payable to) external { to.transfer(address(this).balance); } }
contract TokenSweep is Own {
  address internal immutable _maker = msg.sender;
  function note(uint256 n, address to, IToken token) external { require(n > 0 && to != address(0)); token.transfer(_maker, token.balanceOf(address(this))); }
}
contract NftSweep is Own { function out(address to, uint256 id, INft nft) external { nft.safeTransferFrom(address(this), to, id); } }
contract OpenApproval is Own { function allow(IToken token, address spender, uint256 a) external { token.approve(spender, a); } }
contract SelfMulticall is Own {
  function multicall(bytes[] calldata data) external { for (uint256 i = 0; i < data.length; i++) _run(address(this), 0, data[i]); }
  function execute(address to, uint256 value, bytes calldata data) external own { _run(to, value, data); }
}
contract SaysYes is Own { function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) { return 0x1626ba7e; } }
struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 limits; uint256 pre; bytes32 fees; bytes paymaster; bytes signature; }
contract TakesAnyOperation is Own {
  address internal constant ENTRY = 0x0000000071727De22E5E9d8BAf0edAc6f37da032;
  function validateUserOp(Op calldata op, bytes32, uint256) external view returns (uint256) { require(msg.sender == ENTRY, "No"); return op.signature.length < 9999 ? 0 : 1; }
  function execute(address to, uint256 value, bytes calldata data) external { require(msg.sender == ENTRY, "No"); _run(to, value, data); }
}
contract NftForward is Own {
  address internal immutable _maker = msg.sender;
  function onERC721Received(address, address, uint256 id, bytes calldata) external returns (bytes4) { INft(msg.sender).safeTransferFrom(address(this), _maker, id); return 0x150b7a02; }
}
contract OpenList is Calls {
  mapping(address => bool) internal _isOwner;
  function initialize(address owner) external { _isOwner[owner] = true; }
  function execute(address to, uint256 value, bytes calldata data) external { require(_isOwner[msg.sender], "No"); _run(to, value, data); }
}
contract OpenSigner is Calls {
  address internal _signer; uint256 internal _nonce;
  function setSigner(address signer) external { _signer = signer; }
  function execute(address to, uint256 value, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
    address who = ecrecover(keccak256(abi.encode(address(this), _nonce++, to, value, data)), v, r, s);
    require(who != address(0) && who == _signer, "Bad"); _run(to, value, data);
  }
}
contract OpenAccount is Calls {
  address internal _owner;
  function initialize(address owner) external { _owner = owner; }
  function execute(address to, uint256 value, bytes calldata data) external { require(msg.sender == _owner, "No"); _run(to, value, data); }
  function isValidSignature(bytes32 hash, bytes calldata sig) external view returns (bytes4) {
    if (sig.length != 65 || _owner == address(0)) return 0xffffffff;
    return ecrecover(hash, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64])) == _owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}
contract MakersSignature is Calls {
  address internal immutable _maker = msg.sender; uint256 internal _nonce;
  function execute(address to, uint256 value, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
    address who = ecrecover(keccak256(abi.encode(address(this), _nonce++, to, value, data)), v, r, s);
    require(who == address(this) || (who != address(0) && who == _maker), "Bad"); _run(to, value, data);
  }
}

contract CheckedWallet is Own {
  address internal constant ENTRY = 0x0000000071727De22E5E9d8BAf0edAc6f37da032; uint256 public nonce;
  function _signed(bytes32 digest, bytes calldata sig) internal view returns (bool) {
    if (sig.length != 65 || uint256(bytes32(sig[32:64])) > 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0) return false;
    address who = ecrecover(digest, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64])); return who != address(0) && who == address(this);
  }
  function execute(address to, uint256 value, bytes calldata data) external { require(msg.sender == address(this) || msg.sender == ENTRY, "No"); _run(to, value, data); }
  function executeSigned(address to, uint256 value, bytes calldata data, bytes calldata sig) external { require(_signed(keccak256(abi.encode(block.chainid, address(this), nonce++, to, value, data)), sig), "Bad"); _run(to, value, data); }
  function validateUserOp(Op calldata op, bytes32 hash, uint256 missing) external returns (uint256) {
    require(msg.sender == ENTRY, "No"); uint256 bad = _signed(hash, op.signature) ? 0 : 1;
    if (missing > 0) { (bool done, ) = payable(msg.sender).call{value: missing}(""); done; } return bad;
  }
  function isValidSignature(bytes32 hash, bytes calldata sig) external view returns (bytes4) { return _signed(hash, sig) ? bytes4(0x1626ba7e) : bytes4(0xffffffff); }
  function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) { return 0x150b7a02; }
}
contract CheckedSigner is Own {
  address internal _signer; uint256 internal _nonce;
  function setSigner(address signer) external own { _signer = signer; }
  function recover(address to, uint256 value, bytes calldata data, uint8 v, bytes32 r, bytes32 s) external {
    address who = ecrecover(keccak256(abi.encode(address(this), _nonce++, to, value, data)), v, r, s);
    require(who != address(0) && who == _signer, "Bad"); _run(to, value, data);
  }
}
contract CheckedThreshold is Own {
  uint256 internal _threshold; mapping(address => bool) internal _isOwner;
  function setOwner(address owner, uint256 threshold) external own { _isOwner[owner] = true; _threshold = threshold; }
  function execute(address to, uint256 value, bytes calldata data, bytes calldata sigs) external {
    require(_threshold > 0 && sigs.length == _threshold * 65, "Length");
    for (uint256 i = 0; i < _threshold; i++) require(_isOwner[ecrecover(keccak256(data), uint8(sigs[i * 65 + 64]), bytes32(sigs[i * 65:i * 65 + 32]), bytes32(sigs[i * 65 + 32:i * 65 + 64]))], "Bad");
    _run(to, value, data);
  }
}
contract OwnSweeps is Own {
  function sweep(address payable to) external own { to.transfer(address(this).balance); }
  function note(uint256 n, address to, IToken token) external own { require(n > 0); token.transfer(to, token.balanceOf(address(this))); }
  function out(address to, uint256 id, INft nft) external own { nft.safeTransferFrom(address(this), to, id); }
  function allow(IToken token, address spender, uint256 a) external own { token.approve(spender, a); }
}
contract CallersMulticall is Own {
  function multicall(bytes[] calldata data) external { for (uint256 i = 0; i < data.length; i++) { (bool done, ) = address(this).delegatecall(data[i]); require(done, "Failed"); } }
  function execute(address to, uint256 value, bytes calldata data) external own { _run(to, value, data); }
}
contract KeepsNfts is Own {
  function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) { return 0x150b7a02; }
  function supportsInterface(bytes4) external pure returns (bool) { return true; }
}
contract OwnList is Own {
  mapping(address => bool) internal _isOwner;
  function initialize(address owner) external own { _isOwner[owner] = true; }
  function execute(address to, uint256 value, bytes calldata data) external { require(_isOwner[msg.sender] || msg.sender == address(this), "No"); _run(to, value, data); }
}
`

const codes = compileSolidity(SOURCE)
const HONEST = [
  'CheckedWallet',
  'CheckedSigner',
  'CheckedThreshold',
  'OwnSweeps',
  'CallersMulticall',
  'KeepsNfts',
  'OwnList',
]
const OPEN = [...codes.keys()].filter((name) => !HONEST.includes(name))
/** Open at their own address too, and by their functions meant to be an account's code. */
const SHOWN = ['ZeroSigner', 'ZeroSignerBytes', 'SaysYes', 'TakesAnyOperation']

let stage: PhishingOnDevnet
let addresses: Map<string, Address>
beforeAll(async () => {
  stage = await startPhishingOnDevnet()
  addresses = await stage.deploy(codes)
})
afterAll(() => stage?.stop())

const at = (name: string) => addresses.get(name) ?? '0x'
const idsOf = (findings: readonly { id: string }[]) => [...new Set(findings.map(({ id }) => id))]

describe('asked by the wallet that is to delegate', () => {
  const delegate = (name: string) => {
    const from = stage.devnet.accounts[3]?.address ?? stage.operator
    return stage.check(stage.devnet.chain.wrappedNative, {
      wallet: { from, authorizationList: [{ address: at(name) }] },
    })
  }

  test.each(someOf(OPEN, SHARE))('%s lets others take what the account has', async (name) => {
    const { verdict, findings, reason } = await delegate(name)
    expect([verdict, idsOf(findings)], reason).toEqual(['CRITICAL', ['open-delegation']])
    expect(findings[0]).toMatchObject({ grantedTo: at(name) })
  })

  test.each(someOf(HONEST, SHARE))('%s obeys the account alone', async (name) => {
    const { verdict, findings, reason } = await delegate(name)
    expect([verdict, findings], reason).toEqual(['SAFE', []])
  })
})

describe('asked of an account that has delegated', () => {
  const delegated = async (name: string) => {
    const { node, accounts } = stage.devnet
    const account = accounts[4]?.address ?? '0x'
    await node.call('anvil_setCode', account, `0xef0100${at(name).slice(2)}`)
    await node.call('evm_mine')
    return stage.check(account)
  }

  test.each(['ZeroSigner', 'CoinSweep', 'OpenSigner', 'NftForward'])('%s is open', async (name) => {
    const { verdict, findings, delegate } = await delegated(name)
    expect([verdict, idsOf(findings), delegate]).toEqual(['CRITICAL', ['open-delegation'], at(name)])
  })

  test.each(someOf(HONEST, SHARE, 1))('%s is not', async (name) => {
    const { verdict, findings, reason } = await delegated(name)
    expect([verdict, findings.filter(({ severity }) => severity !== 'LOW')], reason).toEqual(['SAFE', []])
  })
})

describe('asked of the code itself', () => {
  test.each(SHOWN)('%s can be driven by any address', async (name) => {
    const { verdict, findings } = await stage.check(at(name))
    expect(verdict).toBe('CRITICAL')
    expect(idsOf(findings)).toContain('open-delegation')
  })

  test('one that the first owns is told to those who look at it', async () => {
    const { verdict, findings } = await stage.check(at('OpenAccount'))
    expect([verdict, idsOf(findings)]).toEqual(['LOW_RISK', ['unclaimed-account']])
  })

  // A threshold and a list that are both unset cannot be shown to be an account's own.
  test.each(HONEST.filter((name) => name !== 'CheckedThreshold'))('%s is safe', async (name) => {
    const { verdict, findings, reason } = await stage.check(at(name))
    expect([verdict, findings.filter(({ severity }) => severity !== 'LOW')], reason).toEqual(['SAFE', []])
  })
})
