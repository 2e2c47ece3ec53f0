import { expect, test } from 'vitest'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'

/** What a book asks and can do besides moving what it keeps, and what its token can do besides. */
interface Book {
  name: string
  state?: string
  asks?: string
  also?: string
  ofToken?: string
}

const token = ({ name, state = '', asks = '', also = '', ofToken = '' }: Book) => `
contract Book${name} {
  address token = msg.sender;
  mapping(address => uint256) public held;
  ${state}
  constructor(address first) { held[first] = 10 ** 24; }
  function carry(address from, address to, uint256 amount) public returns (bool) {
    require(msg.sender == token);
    ${asks}
    held[from] -= amount;
    held[to] += amount;
    return true;
  }
  ${also}
}
contract ${name} {
  event Transfer(address indexed from, address indexed to, uint256 value);
  Book${name} immutable book;
  address owner = msg.sender;
  uint256 public totalSupply = 10 ** 24;
  mapping(address => mapping(address => uint256)) public allowance;
  constructor() { book = new Book${name}(msg.sender); }
  ${ofToken}
  function balanceOf(address account) public view returns (uint256) { return book.held(account); }
  function approve(address spender, uint256 amount) public returns (bool) { allowance[msg.sender][spender] = amount; return true; }
  function send(address from, address to, uint256 amount) internal { require(book.carry(from, to, amount)); emit Transfer(from, to, amount); }
  function transfer(address to, uint256 amount) public returns (bool) { send(msg.sender, to, amount); return true; }
  function transferFrom(address from, address to, uint256 amount) public returns (bool) {
    allowance[from][msg.sender] -= amount;
    send(from, to, amount);
    return true;
  }
}`
const SHUT = { state: 'mapping(address => bool) shut;', asks: 'require(!shut[from]);' }
const HONEST: readonly Book[] = [{ name: 'Plain' }, { name: 'NeverShut', ...SHUT }]
const HOSTILE: readonly Book[] = [
  { name: 'Counts', state: 'uint256 count;', asks: 'count++; require(count < 50);' },
  { name: 'Clock', asks: 'require(block.timestamp < 2000000000);' },
  { name: 'Digits', asks: 'require(uint160(from) % 7 != 3);' },
  { name: 'Bait', asks: 'require(held[address(0x7777)] == 0);' },
  {
    ...{ name: 'Listed', ...SHUT },
    also: 'function shutOut(address account) public { require(msg.sender == token); shut[account] = true; }',
    ofToken: 'function shutOut(address account) public { require(msg.sender == owner); book.shutOut(account); }',
  },
  {
    ...{ name: 'OwnMaster', asks: SHUT.asks, state: `${SHUT.state} address master = tx.origin;` },
    also: 'function shutOut(address account) public { require(msg.sender == master); shut[account] = true; }',
  },
  {
    name: 'Seized',
    ofToken: 'function take(address account) public { require(msg.sender == owner); book.carry(account, owner, 1); }',
  },
  {
    name: 'Caller',
    ofToken: 'function run(address to, bytes calldata data) public { require(msg.sender == owner); to.call(data); }',
  },
]
const SOURCE = [...HONEST, ...HOSTILE].map(token).join('\n')

test.each(GRAMMAR_SETTINGS.filter(({ package: name, isOptimised }) => name === 'solc' && isOptimised))(
  'a book that its token alone writes, by transfers alone, explains what it answers, compiled by $label',
  { timeout: 300_000 },
  (setting) => {
    const codes = compileTokens(SOURCE, setting)
    const clean = (of: readonly Book[]) =>
      of.flatMap(({ name }) => (judgeToken(codes.get(name) ?? '0x').length === 0 ? [name] : []))
    expect(clean(HONEST)).toEqual(HONEST.map(({ name }) => name))
    expect(clean(HOSTILE)).toEqual([])
  },
)
