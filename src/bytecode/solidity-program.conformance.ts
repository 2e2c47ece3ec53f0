/** Contracts of a generated file. */
const CONTRACTS = 6
const FUNCTIONS = 5
const STATEMENTS = 5
/** How deep conditions and loops stand in one another, and expressions. */
const MAX_NESTING = 2

/** An account that some of the contracts let in by its address. */
export const FIXED_CALLER = '0x4444444444444444444444444444444444444444'

/**
 * A Solidity file as people write them: packed variables, mappings, arrays, records, an owner,
 * conditions on the caller, loops, and functions that call one another. Arithmetic wraps, so that
 * most calls run to their end.
 */
export function generateSolidity(next: () => number): string {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T

  const account = (depth = 0): string =>
    pick([
      () => 'msg.sender',
      () => 'w',
      () => 'owner',
      () => `records[${number(depth + 1)} % 3].holder`,
      () => `address(uint160(${number(depth + 1)}))`,
    ])()

  const number = (depth = 0): string => {
    const plain = [
      () => 'u',
      () => 'total',
      () => 'uint256(small)',
      () => `uint256(${Math.floor(next() * 300)})`,
      () => 'list.length',
      () => 'block.timestamp',
    ]
    if (depth >= MAX_NESTING) return pick(plain)()
    return pick([
      ...plain,
      () => `(${number(depth + 1)} ${pick(['+', '-', '*', '^', '&'])} ${number(depth + 1)})`,
      () => `balances[${account(depth + 1)}]`,
      () => `shared[${account(depth + 1)}][${account(depth + 1)}]`,
      () => `uint256(records[${number(depth + 1)} % 3].amount)`,
      () => `help(${number(depth + 1)})`,
    ])()
  }

  const truth = (): string =>
    pick([
      () => 'flag',
      () => '!flag',
      () => `${number()} > ${number()}`,
      () => `${number()} % 2 == 0`,
      () => `${account()} == ${account()}`,
      () => `(flag && ${number()} < ${number()})`,
      () => `(msg.sender == owner || ${number()} == 7)`,
    ])()

  const statement = (depth: number): string => {
    const plain = [
      () => `total = ${number()};`,
      () => `small = uint64(${number()});`,
      () => `flag = ${truth()};`,
      () => `balances[${account()}] = ${number()};`,
      () => `balances[${account()}] += ${number()};`,
      () => `shared[${account()}][${account()}] = ${number()};`,
      () => `records[${number()} % 3].amount = uint128(${number()});`,
      () => `records[${number()} % 3].holder = ${account()};`,
      () => `list.push(${number()});`,
      () => `if (list.length > 0) list[${number()} % list.length] = ${number()};`,
      () => 'require(msg.sender == owner);',
      () => `require(msg.sender == ${FIXED_CALLER});`,
      () => `require(${truth()});`,
      () => `owner = ${account()};`,
    ]
    if (depth >= MAX_NESTING) return pick(plain)()
    return pick([
      ...plain,
      () => `if (${truth()}) { ${block(depth + 1)} } else { ${block(depth + 1)} }`,
      () => `for (uint256 i = 0; i < ${number()} % 4; i++) { ${block(depth + 1)} }`,
    ])()
  }

  const block = (depth: number): string =>
    Array.from({ length: 1 + Math.floor((next() * STATEMENTS) / (depth + 1)) }, () => statement(depth)).join('\n')

  const contract = (name: string): string => `contract ${name} {
  address owner = msg.sender; bool flag; uint64 small; uint256 total;
  mapping(address => uint256) balances; mapping(address => mapping(address => uint256)) shared;
  struct Record { uint128 amount; address holder; }
  mapping(uint256 => Record) records; uint256[] list;
  function help(uint256 x) internal view returns (uint256) { unchecked { return x > total ? x - total : x * 3 + balances[msg.sender]; } }
${Array.from({ length: FUNCTIONS }, (_, n) => `function f${n}(uint256 u, address w) external payable { unchecked { ${block(0)} } }`).join('\n')}
}`
  return `pragma solidity ^0.8.0;\n${Array.from({ length: CONTRACTS }, (_, n) => contract(`G${n}`)).join('\n')}`
}
