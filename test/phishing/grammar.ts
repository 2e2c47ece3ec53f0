import type { Hex } from '../../src/hex.js'
import { runSolc } from '../run-solc.js'

/** A contract of the grammar: one word of each list, and whether it is out for others' things. */
export interface Sentence {
  /** The words, which are also the contract's name. */
  name: string
  asset: Asset
  entry: Entry
  actor: Actor
  time: Time
  /** What the one whose tokens move has for it; `credit` is the harmless twin. */
  reward: Reward
}

const ASSETS = ['fixed', 'any', 'nft', 'permit2'] as const
const ENTRIES = ['plain', 'list', 'packed', 'masked', 'raw', 'rows', 'notes', 'blob'] as const
const ACTORS = ['anyone', 'owner', 'constant', 'origin', 'listed', 'hashed'] as const
const TIMES = ['now', 'later', 'switched'] as const
const HARMFUL = ['nothing', 'worthless'] as const
type Asset = (typeof ASSETS)[number]
type Entry = (typeof ENTRIES)[number]
type Actor = (typeof ACTORS)[number]
type Time = (typeof TIMES)[number]
type Reward = (typeof HARMFUL)[number] | 'credit'

/** Every sentence, each harmful one followed by its twin. */
export function allSentences(): Sentence[] {
  return ASSETS.flatMap((asset) =>
    ENTRIES.flatMap((entry) =>
      ACTORS.flatMap((actor) =>
        TIMES.flatMap((time) =>
          HARMFUL.flatMap((reward) => [
            sentence({ asset, entry, actor, time, reward }),
            sentence({ asset, entry, actor, time, reward: 'credit' }),
          ]),
        ),
      ),
    ),
  )
}

/** As many pairs as asked for, the same for the same seed. */
export function somePairs(count: number, seed: number): Sentence[] {
  const all = allSentences()
  const pairs = all.length / 2
  let state = seed
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, pairs)) {
    // Numerical Recipes' generator: good enough to choose, and the same everywhere.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    chosen.add(state % pairs)
  }
  return [...chosen].flatMap((i) => all.slice(2 * i, 2 * i + 2))
}

function sentence(words: Omit<Sentence, 'name'>): Sentence {
  const { asset, entry, actor, time, reward } = words
  return { ...words, name: [asset, entry, actor, time, reward].map(capital).join('') }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Creation code of each sentence, by its name. Throws what the compiler says. */
export function compileSentences(sentences: readonly Sentence[]): Map<string, Hex> {
  const distinct = [...new Map(sentences.map((each) => [each.name, each])).values()]
  return compileSolidity([HEAD, ...distinct.map(toSource)].join('\n'))
}

/** Creation code of each contract of a source, by its name. Throws what the compiler says. */
export function compileSolidity(content: string): Map<string, Hex> {
  const input = {
    language: 'Solidity',
    sources: { 'grammar.sol': { content } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const { errors = [], contracts = {} } = runSolc('solc', input) as Output
  const grave = errors.find(({ severity }) => severity === 'error')
  if (grave) throw new Error(grave.formattedMessage)
  const made = contracts['grammar.sol'] ?? {}
  const codes = Object.entries(made).map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`] as const)
  return new Map(codes.filter(([, code]) => code.length > 2))
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
interface IToken { function transferFrom(address, address, uint256) external returns (bool); function transfer(address, uint256) external returns (bool); }
interface INft { function transferFrom(address, address, uint256) external; }
interface IPermit2 { function transferFrom(address, address, uint160, address) external; }`

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** How the token is taken, `from`, `to` and `amount` being words of the call. */
const TAKING: Record<Asset, string> = {
  fixed: `IToken(${USDC}).transferFrom(from, to, amount);`,
  any: 'IToken(token).transferFrom(from, to, amount);',
  nft: 'INft(token).transferFrom(from, to, amount);',
  permit2: `IPermit2(${PERMIT2}).transferFrom(from, to, uint160(amount), token);`,
}

/** How it is given back to the one that was credited. */
const GIVING: Record<Asset, string> = {
  fixed: `IToken(${USDC}).transfer(msg.sender, amount);`,
  any: 'IToken(token).transfer(msg.sender, amount);',
  nft: 'INft(token).transferFrom(address(this), msg.sender, amount);',
  permit2: 'IToken(token).transfer(msg.sender, amount);',
}

const GUARDS: Record<Actor, string> = {
  anyone: '',
  owner: 'require(msg.sender == _owner);',
  constant: 'require(msg.sender == _maker);',
  origin: 'require(tx.origin == _owner);',
  listed: 'require(_listed[msg.sender]);',
  hashed: 'require(keccak256(abi.encode(msg.sender)) == _mark);',
}

const TIMES_OF: Record<Time, string> = {
  now: '',
  later: 'require(block.timestamp > _made + 20 days);',
  switched: 'require(_isOn);',
}

/** How the words reach the function; `take` is what is done with them. */
const ENTRIES_OF: Record<Entry, (take: string) => string> = {
  plain: (take) => `function run(address token, address from, uint256 amount) public { ${take} }`,
  list: (take) =>
    `function run(address token, address[] memory all, uint256 amount) public { for (uint256 i = 0; i < all.length; i++) { address from = all[i]; ${take} } }`,
  packed: (take) =>
    `function run(address token, uint256 word) public { address from = address(uint160(word >> 96)); uint256 amount = word & 0xffffffffffffffffffffffff; ${take} }`,
  masked: (take) =>
    `function run(uint256 a, uint256 b, uint256 amount) public { address token = address(uint160(a ^ MASK)); address from = address(uint160(b ^ MASK)); ${take} }`,
  rows: (take) =>
    `function run(Row[] memory all) public { for (uint256 i = 0; i < all.length; i++) { (address token, address from, uint256 amount) = (all[i].token, all[i].from, all[i].amount); ${take} } }`,
  notes: (take) =>
    `function run(Note[] calldata all) public { for (uint256 i = 0; i < all.length; i++) { (address token, address from, uint256 amount) = (all[i].row.token, all[i].row.from, all[i].row.amount); emit Noted(all[i].note); ${take} } }`,
  blob: (take) =>
    `function run(bytes calldata data) public { (address token, address from, uint256 amount) = abi.decode(data, (address, address, uint256)); ${take} }`,
  raw: (take) =>
    `fallback() external { address token; address from; uint256 amount; assembly { token := shr(96, calldataload(0)) from := shr(96, calldataload(20)) amount := calldataload(40) } ${take} }`,
}

function toSource({ name, asset, entry, actor, time, reward }: Sentence): string {
  const isTwin = reward === 'credit'
  const who = isTwin
    ? 'from = msg.sender; address to = address(this);'
    : `address to = ${actor === 'anyone' ? 'msg.sender' : '_owner'};`
  const after = {
    nothing: '',
    worthless: 'points[from] += 1000; emit Points(from, 1000);',
    credit: 'deposits[msg.sender][token] += amount;',
  }[reward]
  const before = `${isTwin ? '' : GUARDS[actor]} ${TIMES_OF[time]}`
  const exit = isTwin
    ? `function withdraw(address token, uint256 amount) public { deposits[msg.sender][token] -= amount; ${GIVING[asset]} }`
    : ''
  return `contract ${name} {
  address internal _owner = msg.sender;
  address internal immutable _maker = msg.sender;
  bytes32 internal immutable _mark = keccak256(abi.encode(msg.sender));
  uint256 internal immutable _made = block.timestamp;
  uint256 internal constant MASK = uint256(keccak256("mask"));
  mapping(address => bool) internal _listed;
  mapping(address => mapping(address => uint256)) public deposits;
  mapping(address => uint256) public points;
  bool internal _isOn;
  event Points(address indexed who, uint256 amount);
  struct Row { address token; address from; uint256 amount; }
  struct Note { bytes note; Row row; }
  event Noted(bytes note);
  constructor() { _listed[msg.sender] = true; }
  function turnOn(bool on) public { require(msg.sender == _owner); _isOn = on; }
  ${ENTRIES_OF[entry](`${before} ${who} ${TAKING[asset]} ${after}`)}
  ${exit}
}`
}
