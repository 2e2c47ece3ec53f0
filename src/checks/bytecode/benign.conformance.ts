import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runSolc } from '../../../test/run-solc.js'
import { hexToBytes } from '../../hex.js'
import { BENIGN_SHAPES } from './benign-shapes.conformance.js'

/**
 * Widely used code as its authors published it in their packages, or compiled from their sources.
 */
export interface Benign {
  name: string
  code: Uint8Array
}

const MODULES = resolve(import.meta.dirname, '../../../node_modules')
const FOLDERS = [
  '@uniswap/v2-core/build',
  '@uniswap/v2-periphery/build',
  '@uniswap/v3-core/artifacts/contracts',
  '@uniswap/v3-periphery/artifacts/contracts',
  '@openzeppelin/contracts/build/contracts',
  'canonical-weth/build/contracts',
]

/**
 * Test helpers of the packages; `RouterEventEmitter` runs any code for any caller, and the flag
 * says so.
 */
const EXAMPLES = /RouterEventEmitter|[Ee]xample/

/** Libraries and interfaces have a handful of bytes; nothing of interest is that small. */
const MIN_BYTES = 100

let benign: Benign[] | undefined

/**
 * Runtime code out of the packages that the project is tested with. Reading
 * all of it takes a while, and is done once.
 */
export function readBenign(): readonly Benign[] {
  benign ??= [
    ...FOLDERS.flatMap(readFolder),
    ...compile('OpenZeppelin', TOKENS),
    ...compile('own shape', BENIGN_SHAPES),
  ]
  return benign
}

function readFolder(folder: string): Benign[] {
  const path = join(MODULES, folder)
  if (!existsSync(path)) return []
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.json') && !name.includes('dbg') && !EXAMPLES.test(name),
  )
  return files.flatMap((file) => {
    const artifact = JSON.parse(readFileSync(join(path, file), 'utf8')) as Artifact
    const text = readRuntime(artifact)
    if (text === undefined || text.length < 2 * MIN_BYTES) return []
    // Places of libraries that are linked later.
    const linked = text.replace(/^0x/, '').replaceAll(/__.{38}/g, '11'.repeat(20))
    return [{ name: `${folder.split('/')[0]} ${file.replace('.json', '')}`, code: hexToBytes(linked) }]
  })
}

interface Artifact {
  deployedBytecode?: string
  evm?: { deployedBytecode?: { object?: string } }
}

const readRuntime = ({ deployedBytecode, evm }: Artifact) =>
  typeof deployedBytecode === 'string' ? deployedBytecode : evm?.deployedBytecode?.object

/** OpenZeppelin's building blocks put together the way its wizard does. */
const TOKENS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";
import {ERC20Wrapper} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Wrapper.sol";
import {ERC20FlashMint} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20FlashMint.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

contract Plain is ERC20 { constructor() ERC20("a", "b") { _mint(msg.sender, 1e24); } }
contract Burnable is ERC20Burnable { constructor() ERC20("a", "b") { _mint(msg.sender, 1e24); } }
contract Permit is ERC20Permit { constructor() ERC20("a", "b") ERC20Permit("a") { _mint(msg.sender, 1e24); } }
contract Votes is ERC20Permit, ERC20Votes {
    constructor() ERC20("a", "b") ERC20Permit("a") { _mint(msg.sender, 1e24); }
    function _update(address f, address t, uint256 v) internal override(ERC20, ERC20Votes) { super._update(f, t, v); }
    function nonces(address o) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(o); }
}
contract OwnedMintable is ERC20, Ownable {
    constructor() ERC20("a", "b") Ownable(msg.sender) {}
    function mint(address to, uint256 amount) public onlyOwner { _mint(to, amount); }
}
contract Capped is ERC20Capped, Ownable {
    constructor() ERC20("a", "b") ERC20Capped(1e27) Ownable(msg.sender) {}
    function mint(address to, uint256 amount) public onlyOwner { _mint(to, amount); }
}
contract Roles is ERC20Pausable, AccessControl {
    constructor() ERC20("a", "b") { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
    function mint(address to, uint256 amount) public onlyRole(keccak256("M")) { _mint(to, amount); }
    function pause() public onlyRole(keccak256("P")) { _pause(); }
    function unpause() public onlyRole(keccak256("P")) { _unpause(); }
}
contract Wrapper is ERC20Wrapper { constructor(IERC20 u) ERC20("a", "b") ERC20Wrapper(u) {} }
contract Flash is ERC20FlashMint { constructor() ERC20("a", "b") { _mint(msg.sender, 1e24); } }
contract Vault is ERC4626 { constructor(IERC20 u) ERC20("a", "b") ERC4626(u) {} }
contract Forwarded is ERC20Burnable, Ownable, ERC2771Context {
    constructor() ERC20("a", "b") Ownable(msg.sender) ERC2771Context(msg.sender) {}
    function mint(address to, uint256 amount) public onlyOwner { _mint(to, amount); }
    function _msgSender() internal view override(Context, ERC2771Context) returns (address) { return ERC2771Context._msgSender(); }
    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) { return ERC2771Context._msgData(); }
    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) { return 20; }
}
contract ForwardedRoles is ERC20, AccessControl, ERC2771Context {
    constructor() ERC20("a", "b") ERC2771Context(msg.sender) { _grantRole(DEFAULT_ADMIN_ROLE, msg.sender); }
    function mint(address to, uint256 amount) public onlyRole(keccak256("M")) { _mint(to, amount); }
    function _msgSender() internal view override(Context, ERC2771Context) returns (address) { return ERC2771Context._msgSender(); }
    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) { return ERC2771Context._msgData(); }
    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) { return 20; }
}
contract Collectible is ERC721, Ownable {
    constructor() ERC721("a", "b") Ownable(msg.sender) {}
    function mint(address to, uint256 id) public onlyOwner { _safeMint(to, id); }
}
contract Multi is ERC1155, Ownable {
    constructor() ERC1155("u") Ownable(msg.sender) {}
    function mint(address to, uint256 id, uint256 n) public onlyOwner { _mint(to, id, n, ""); }
}
`

function compile(label: string, source: string): Benign[] {
  const settings = {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { 'T.sol': { '*': ['evm.deployedBytecode.object'] } },
  }
  const read = (path: string) => {
    const file = join(MODULES, path)
    return existsSync(file) ? { contents: readFileSync(file, 'utf8') } : { error: 'not found' }
  }
  const input = { language: 'Solidity', sources: { 'T.sol': { content: source } }, settings }
  const output = runSolc('solc', input, { import: read }) as {
    contracts?: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
    errors?: { severity: string; formattedMessage: string }[]
  }
  const grave = output.errors?.find(({ severity }) => severity === 'error')
  if (grave !== undefined) throw new Error(grave.formattedMessage)
  return Object.entries(output.contracts?.['T.sol'] ?? {}).flatMap(([name, { evm }]) =>
    evm.deployedBytecode.object === ''
      ? []
      : [{ name: `${label} ${name}`, code: hexToBytes(evm.deployedBytecode.object) }],
  )
}
