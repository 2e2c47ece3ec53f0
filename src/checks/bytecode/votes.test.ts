import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { runSolc } from '../../../test/run-solc.js'
import type { Hex } from '../../hex.js'
import { unexplainedOf } from './code-conditions.js'
import { checkDeployed } from './fixtures.conformance.js'

/** OpenZeppelin's votes as projects put them together, and records that stop sales. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

abstract contract VotesBase is ERC20Permit, ERC20Votes {
    constructor() ERC20("a", "b") ERC20Permit("a") { _mint(msg.sender, 1e24); }
    function _update(address f, address t, uint256 v) internal virtual override(ERC20, ERC20Votes) { super._update(f, t, v); }
    function nonces(address o) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(o); }
}
contract Votes is VotesBase {}
contract ClockedVotes is VotesBase, ERC20Burnable {
    function clock() public view override returns (uint48) { return uint48(block.timestamp); }
    function CLOCK_MODE() public pure override returns (string memory) { return "mode=timestamp"; }
    function _update(address f, address t, uint256 v) internal override(ERC20, VotesBase) { super._update(f, t, v); }
}
contract FullRecords is VotesBase {
    function _update(address f, address t, uint256 v) internal override {
        super._update(f, t, v);
        require(numCheckpoints(delegates(t)) < 40);
    }
}
contract RisingRecords is VotesBase {
    uint256 private seen;
    function _update(address f, address t, uint256 v) internal override {
        super._update(f, t, v);
        if (block.number > seen + 40) require(getVotes(delegates(t)) == 0 && t != address(this));
    }
    function see(uint256 at) external { if (msg.sender == address(0xB055)) seen = at; }
}
`

const MODULES = resolve(import.meta.dirname, '../../../node_modules')
const WAYS = {
  plain: { optimizer: { enabled: true, runs: 200 } },
  'not optimised': { optimizer: { enabled: false } },
  'by way of Yul': { optimizer: { enabled: true, runs: 200 }, viaIR: true },
  'by way of Yul, for many runs': { optimizer: { enabled: true, runs: 1_000_000 }, viaIR: true },
}

function compile(settings: object): Record<string, Hex> {
  const read = (path: string) => {
    const file = join(MODULES, path)
    return existsSync(file) ? { contents: readFileSync(file, 'utf8') } : { error: 'not found' }
  }
  const outputSelection = { 'T.sol': { '*': ['evm.bytecode.object'] } }
  const input = {
    language: 'Solidity',
    sources: { 'T.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', ...settings, outputSelection },
  }
  const { contracts } = runSolc('solc', input, { import: read }) as {
    contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
  }
  return Object.fromEntries(
    Object.entries(contracts['T.sol'] ?? {}).map(([name, { evm }]) => [name, `0x${evm.bytecode.object}` as const]),
  )
}

test.each(Object.entries(WAYS))('records of votes decide nothing in a sale, compiled %s', (_, settings) => {
  const codes = compile(settings)
  const unexplained = (name: string) => {
    const { conditions } = checkDeployed(codes[name] ?? '0x')
    return conditions && unexplainedOf(conditions)
  }
  for (const name of ['Votes', 'ClockedVotes']) expect([name, unexplained(name)]).toEqual([name, []])
  for (const name of ['FullRecords', 'RisingRecords']) expect(unexplained(name)).not.toEqual([])
})
