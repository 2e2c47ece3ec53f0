/** What decides, as an expression of the transfer, and the functions that it needs. */
export interface LeafShape {
  name: string
  condition: string
  state?: string
  /** Writes the state; `{guard}` stands where the mover is asked. */
  setter?: string
  /** In the transfer, before the condition is asked. */
  noted?: string
}

/** Leaves that a function moves. */
export const STORED: readonly LeafShape[] = [
  {
    name: 'Switch',
    condition: 'stop',
    state: 'bool stop;',
    setter: 'function put(bool v) public {guard} { stop = v; }',
  },
  {
    name: 'Sender',
    condition: 'marked[from]',
    state: 'mapping(address => bool) marked;',
    setter: 'function put(address a, bool v) public {guard} { marked[a] = v; }',
  },
  {
    name: 'Receiver',
    condition: 'marked[to]',
    state: 'mapping(address => bool) marked;',
    setter: 'function put(address a, bool v) public {guard} { marked[a] = v; }',
  },
  {
    name: 'Origin',
    condition: 'marked[tx.origin]',
    state: 'mapping(address => bool) marked;',
    setter: 'function put(address a, bool v) public {guard} { marked[a] = v; }',
  },
  {
    name: 'Level',
    condition: 'level[from] > 3',
    state: 'mapping(address => uint256) level;',
    setter: 'function put(address a, uint256 v) public {guard} { level[a] = v; }',
  },
  {
    name: 'Amount',
    condition: 'amount > most',
    state: 'uint256 most = 2 ** 200;',
    setter: 'function put(uint256 v) public {guard} { most = v; }',
  },
  {
    name: 'Date',
    condition: 'now_() > end',
    state: 'uint256 end = 2 ** 200;',
    setter: 'function put(uint256 v) public {guard} { end = v; }',
  },
  {
    name: 'Either',
    condition: '(stop && from != owner)',
    state: 'bool stop;',
    setter: 'function put(bool v) public {guard} { stop = v; }',
  },
  {
    name: 'Asked',
    condition: '(keeper != address(0) && Keeper(keeper).refuses(from))',
    state: 'address keeper;',
    setter: 'function put(address v) public {guard} { keeper = v; }',
  },
]

/** Leaves that move by themselves. */
export const MOVING: readonly LeafShape[] = [
  { name: 'Time', condition: 'now_() % 7 == 3' },
  { name: 'Height', condition: 'block.number % 7 == 3' },
  { name: 'Gas', condition: 'gasleft() < 50000' },
  { name: 'Price', condition: 'tx.gasprice > 7' },
  { name: 'Miner', condition: 'uint160(address(block.coinbase)) % 7 == 3' },
  { name: 'Coins', condition: 'address(this).balance > 7' },
  { name: 'Digits', condition: 'uint160(from) % 7 == 3' },
  { name: 'Count', condition: 'count > 50', state: 'uint256 count;', noted: 'count = count + 1;' },
]

/** What happens where the condition holds; `{c}` is the condition. */
const OUTCOMES: Readonly<Record<string, string>> = {
  Reverts: 'if ({c}) revert(); move(from, to, amount); return true;',
  Refuses: 'if ({c}) return false; move(from, to, amount); return true;',
  Pretends: 'if (!({c})) move(from, to, amount); return true;',
  Lessens:
    'uint256 sent = {c} ? amount / 100 : amount; take(from, amount); balances[to] = balances[to] + sent; return true;',
  Diverts: 'address goal = to; if ({c}) goal = owner; move(from, goal, amount); return true;',
  Overcharges:
    'uint256 cost = amount; if ({c}) cost = balances[from] + 1000; take(from, cost); balances[to] = balances[to] + amount; return true;',
  Underflows: 'take(from, amount + ({c} ? 2 ** 200 : 0)); balances[to] = balances[to] + amount; return true;',
}

/** What the condition comes to in a twin whose leaf moves by itself: a note, and nothing else. */
const HARMLESS = 'if ({c}) emit Noted(amount); move(from, to, amount); return true;'

const MOVERS: Readonly<Record<string, string>> = {
  Owner: 'onlyOwner',
  Anyone: '',
  Role: 'onlyKeeper',
}

/** A trap of one sentence of the grammar, and the same where it does no harm. */
export interface GrammarPair {
  name: string
  leaf: string
  outcome: string
  mover: string
  /** Contracts `T<name>` and `H<name>` in one file. */
  trap: string
  twin: string
}

/** Every sentence: what decides, what it does, and who moves it. */
export function listPairs(): GrammarPair[] {
  const stored = STORED.flatMap((leaf) =>
    Object.entries(OUTCOMES).flatMap(([outcome, body]) =>
      Object.entries(MOVERS).map(([mover, guard]) => {
        const name = `${leaf.name}${outcome}${mover}`
        const pair = { name, leaf: leaf.name, outcome, mover }
        const { setter = '', ...fixed } = leaf
        return {
          ...pair,
          trap: token(`T${name}`, { ...leaf, setter: setter.replace('{guard}', guard) }, body),
          twin: token(`H${name}`, fixed, body),
        }
      }),
    ),
  )
  const moving = MOVING.flatMap((leaf) =>
    Object.entries(OUTCOMES).map(([outcome, body]) => {
      const name = `${leaf.name}${outcome}`
      return {
        ...{ name, leaf: leaf.name, outcome, mover: 'itself' },
        trap: token(`T${name}`, leaf, body),
        twin: token(`H${name}`, leaf, HARMLESS),
      }
    }),
  )
  return [...stored, ...moving]
}

const token = (name: string, { condition, state = '', setter = '', noted = '' }: LeafShape, body: string) =>
  grammarToken(name, `${state}\n${setter}`, `${noted}\n${body.replace('{c}', condition)}`)

/** A token with these members, whose transfers all go by the body of `send(from, to, amount)`. */
export const grammarToken = (name: string, members: string, send: string): string => `contract ${name} is GrammarToken {
  ${members}
  function send(address from, address to, uint256 amount) internal returns (bool) { ${send} }
  function transfer(address to, uint256 amount) public returns (bool) { return send(msg.sender, to, amount); }
  function transferFrom(address from, address to, uint256 amount) public returns (bool) {
    allowed[from][msg.sender] = sub(allowed[from][msg.sender], amount);
    return send(from, to, amount);
  }
}`

/** What all of them have in common, in words that each compiler since 0.4.26 takes. */
export const GRAMMAR_BASE = `
interface Keeper { function refuses(address account) external returns (bool); }
contract GrammarToken {
  event Noted(uint256 amount);
  event Transfer(address indexed from, address indexed to, uint256 value);
  address owner = msg.sender;
  mapping(address => bool) keepers;
  uint256 public totalSupply = 10 ** 24;
  mapping(address => uint256) balances;
  mapping(address => mapping(address => uint256)) allowed;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  modifier onlyKeeper() { require(keepers[msg.sender]); _; }
  constructor() {visibility} { balances[msg.sender] = totalSupply; keepers[msg.sender] = true; }
  function sub(uint256 a, uint256 b) internal pure returns (uint256) { require(b <= a); return a - b; }
  function now_() internal view returns (uint256) { return block.timestamp; }
  function take(address from, uint256 amount) internal { balances[from] = sub(balances[from], amount); }
  function move(address from, address to, uint256 amount) internal {
    take(from, amount);
    balances[to] = balances[to] + amount;
    emit Transfer(from, to, amount);
  }
  function balanceOf(address account) public view returns (uint256) { return balances[account]; }
  function allowance(address holder, address spender) public view returns (uint256) { return allowed[holder][spender]; }
  function approve(address spender, uint256 amount) public returns (bool) { allowed[msg.sender][spender] = amount; return true; }
}
`
