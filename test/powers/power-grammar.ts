import { seededRandom } from '../../src/bytecode/random-program.conformance.js'

/** What a power is made of; each part is a key of the table of its name. */
export interface Sentence {
  guard: keyof typeof GUARDS
  entry: (typeof ENTRIES)[number]
  argument: keyof typeof ARGUMENTS
  chain: keyof typeof CHAINS
  place: (typeof PLACES)[number]
  victim: keyof typeof VICTIMS
}

/** A power of one sentence of the grammar, and the same call where it does no harm. */
export interface PowerPair {
  name: string
  sentence: Sentence
  /** Contracts `T<name>` and `H<name>`, with what they need besides. */
  source: string
}

interface Guard {
  /** Whether the caller may. */
  asks: string
  state?: string
  /** In the constructor, where `maker` is who deploys. */
  begins?: string
}

/** Who may use it. */
const GUARDS = {
  Owner: { asks: 'msg.sender == maker_' },
  Role: {
    asks: 'keepers[msg.sender]',
    state: 'mapping(address => bool) internal keepers;',
    begins: 'keepers[maker] = true;',
  },
  Masked: {
    asks: '(uint160(msg.sender) ^ KEY) == masked',
    state: 'uint160 internal constant KEY = 0x5a5a77; uint160 internal masked;',
    begins: 'masked = uint160(maker) ^ KEY;',
  },
  Hashed: {
    asks: 'keccak256(abi.encodePacked(msg.sender)) == sealed_',
    state: 'bytes32 internal sealed_;',
    begins: 'sealed_ = keccak256(abi.encodePacked(maker));',
  },
  Fixed: {
    asks: 'msg.sender == creator',
    state: 'address internal immutable creator;',
    begins: 'creator = maker;',
  },
  Asked: {
    asks: 'authority.isAllowed(msg.sender)',
    state: 'GrammarAuthority internal authority;',
    begins: 'authority = new GrammarAuthority(maker);',
  },
  Anyone: { asks: 'true' },
} as const satisfies Record<string, Guard>

/** Where the call comes in. */
const ENTRIES = ['Named', 'Fallback', 'Odd', 'Transfer', 'Approve', 'Receive'] as const

interface Argument {
  /** Empty where there is none. */
  type: string
  /** What `given` has to be. */
  asks: string
  /** Whose account it names, where the argument itself says so. */
  names?: string
  isNumber?: true
}

const ARGUMENTS = {
  None: { type: '', asks: 'true' },
  Flag: { type: 'bool', asks: 'given' },
  Threshold: { type: 'uint256', asks: 'given >= 77', isNumber: true },
  Magic: { type: 'uint256', asks: '(given ^ 0x5a5a5a5a5a5a5a) == 98765432198765', isNumber: true },
  Packed: {
    type: 'uint256',
    asks: '(given >> 160) == 0xabcdef',
    names: 'address(uint160(given))',
    isNumber: true,
  },
  Array: { type: 'address[] memory', asks: 'given.length == 2', names: 'given[1]' },
  Bytes: { type: 'bytes memory', asks: 'given.length == 5 && given[2] == 0x41' },
  Secret: { type: 'uint256', asks: 'keccak256(abi.encode(given)) == SECRET', isNumber: true },
} as const satisfies Record<string, Argument>

interface Chain {
  asks: string
  state?: string
  /** Functions that have to be called before; `{guard}` stands where the caller is asked. */
  before?: string
}

/** What has to be done before. */
const CHAINS = {
  One: { asks: 'true' },
  Two: {
    asks: 'step == 1',
    state: 'uint256 internal step;',
    before: 'function arm() public { require({guard}); step = 1; }',
  },
  Three: {
    asks: 'step == 22',
    state: 'uint256 internal step;',
    before:
      'function arm() public { require({guard}); step = 11; } function aim() public { require({guard} && step == 11); step = 22; }',
  },
  Wait: {
    asks: 'readyAt != 0 && block.timestamp >= readyAt',
    state: 'uint256 internal readyAt;',
    before: 'function arm() public { require({guard}); readyAt = block.timestamp + 3 days; }',
  },
} as const satisfies Record<string, Chain>

/** Whose function it is: the token's, that of a contract which it asks, or which it obeys. */
const PLACES = ['Token', 'Registry', 'Module'] as const

interface Victim {
  state: string
  /** What the call does; `{who}` is an account that it names. */
  writes: string
  /** The same where it does no harm. */
  twinWrites?: string
  /** A condition of transfers that stops them, and is a note in the twin. */
  stops?: string
  /** Percent of a sale that are kept, and what the twin keeps at most. */
  fee?: string
  /** In the transfer, after it was made. */
  noted?: string
  isNamed?: true
}

/** Who is harmed, and how. Words of the leaf begin with `leaf.` where another contract has them. */
const VICTIMS = {
  Sellers: { state: 'bool public closed;', writes: 'closed = true;', stops: '{leaf}closed() && _isSell(from, to)' },
  Named: {
    state: 'mapping(address => bool) public marked;',
    writes: 'marked[{who}] = true;',
    stops: '{leaf}marked(from)',
    isNamed: true,
  },
  Taxed: { state: 'uint256 public share;', writes: 'share = 97;', fee: '{leaf}share()' },
  Later: {
    state: 'uint256 public since;',
    writes: 'since = block.timestamp;',
    stops: '_isSell(from, to) && {leaf}since() != 0 && boughtAt[from] >= {leaf}since()',
    noted: 'if (from == pair) boughtAt[to] = block.timestamp;',
  },
  Robbed: {
    state: '',
    writes: 'uint256 all = _held[{who}]; _held[{who}] = 0; _held[msg.sender] += all;',
    twinWrites: 'uint256 all = _held[msg.sender]; _held[msg.sender] = 0; _held[{who}] += all;',
    isNamed: true,
  },
  Approver: {
    state: '',
    writes: '_allowed[{who}][msg.sender] = ~uint256(0);',
    twinWrites: '_allowed[msg.sender][{who}] = ~uint256(0);',
    isNamed: true,
  },
  Pool: {
    state: '',
    writes: 'uint256 all = _held[pair] - 1000; _held[pair] -= all; _held[msg.sender] += all;',
    twinWrites: 'uint256 all = _held[msg.sender]; _held[msg.sender] = 0; _held[pair] += all;',
  },
  Holders: {
    state: '',
    writes: 'totalSupply += 10 ** 27; _held[msg.sender] += 10 ** 27;',
    twinWrites: 'uint256 all = _held[msg.sender]; _held[msg.sender] = 0; totalSupply -= all;',
  },
} as const satisfies Record<string, Victim>

const DIMENSIONS = {
  guard: Object.keys(GUARDS),
  entry: ENTRIES,
  argument: Object.keys(ARGUMENTS),
  chain: Object.keys(CHAINS),
  place: PLACES,
  victim: Object.keys(VICTIMS),
} as const

/** Whether the parts go together: standard functions have the arguments that they have. */
function isSentence({ entry, argument, place, victim }: Sentence): boolean {
  const { isNumber, names }: Argument = ARGUMENTS[argument]
  const { isNamed, stops, fee }: Victim = VICTIMS[victim]
  if ((entry === 'Transfer' || entry === 'Approve') && (place !== 'Token' || !isNumber || names !== undefined))
    return false
  // Ordinary transfers and approvals would set it off, the listing first.
  if ((entry === 'Transfer' || entry === 'Approve') && argument === 'Threshold') return false
  if (entry === 'Receive' && (!isNumber || isNamed || names !== undefined || place !== 'Token')) return false
  // Books stand in the token alone; a registry is asked.
  return place !== 'Registry' || stops !== undefined || fee !== undefined
}

/** Drawn in vain before all pairs of parts are held for covered. */
const MAX_VAIN = 4_000

/**
 * Sentences in which each two parts that go together meet at least once, drawn by `seed`; `least`
 * of them at any rate.
 */
export function listPowerPairs({ seed = 1, least = 0 } = {}): PowerPair[] {
  const next = seededRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const [met, found] = [new Set<string>(), new Map<string, Sentence>()]
  for (let vain = 0; vain < MAX_VAIN || found.size < least; vain += 1) {
    const sentence = Object.fromEntries(
      Object.entries(DIMENSIONS).map(([name, of]) => [name, pick<string>(of)]),
    ) as unknown as Sentence
    if (!isSentence(sentence)) continue
    const parts = Object.entries(sentence).map(([name, part]) => `${name}=${part}`)
    const fresh = parts
      .flatMap((one, i) => parts.slice(i + 1).map((other) => `${one} ${other}`))
      .filter((pair) => !met.has(pair))
    if (fresh.length === 0 && vain < MAX_VAIN) continue
    vain = fresh.length > 0 ? 0 : vain
    for (const pair of fresh) met.add(pair)
    found.set(Object.values(sentence).join(''), sentence)
  }
  return [...found.values()].map(writePair)
}

/** The contracts of one sentence. */
export function writePair(sentence: Sentence): PowerPair {
  const name = Object.values(sentence).join('')
  const source = `${writeContract(`T${name}`, sentence, false)}\n${writeContract(`H${name}`, sentence, true)}`
  return { name, sentence, source }
}

/** One contract, as a trap or as its twin. */
function writeContract(name: string, sentence: Sentence, isTwin: boolean): string {
  const { place, victim } = sentence
  const { state, stops, fee, noted, writes, twinWrites }: Victim = VICTIMS[victim]
  const written = isTwin ? (twinWrites ?? writes) : writes
  const leaf = place === 'Registry' ? 'registry.' : 'this_.'
  const at = (text: string) =>
    text
      .replaceAll('{leaf}', leaf)
      .replaceAll(/this_\.(\w+)\(([^)]*)\)/g, (_, word, key) => (key === '' ? word : `${word}[${key}]`))
  const stop = stops === undefined ? '' : `if (${at(stops)}) ${isTwin ? 'emit Noted(amount)' : 'revert("Shut")'};`
  const percent = fee === undefined ? '' : writeFee(at(fee), isTwin)
  const shared = `
  event Noted(uint256 amount);
  mapping(address => uint256) internal boughtAt;
  function _move(address from, address to, uint256 amount) internal override { ${stop} super._move(from, to, amount); ${noted ?? ''} }
  ${percent}`
  if (place === 'Token') return token(name, `${state} ${shared} ${writePower(sentence, written)}`, beginOf(sentence))
  if (place === 'Registry') {
    const registry = `contract R${name} { ${state} ${writePower(sentence, written, 'constructor(address maker) { maker_ = maker; {begins} }')} }`
    return `${registry}\n${token(name, `R${name} internal registry; ${shared}`, `registry = new R${name}(msg.sender);`)}`
  }
  const put = `function put(address who) external { require(msg.sender == address(module)); ${written.replaceAll('{who}', 'who')} }`
  const pushed = `token.put({who});`
  const module = `interface I${name} { function put(address who) external; }
contract M${name} { I${name} internal token; ${writePower(sentence, pushed, `constructor(address maker) { token = I${name}(msg.sender); maker_ = maker; {begins} }`)} }`
  return `${module}\n${token(name, `M${name} internal module; ${state} ${shared} ${put}`, `module = new M${name}(msg.sender);`)}`
}

const writeFee = (fee: string, isTwin: boolean) =>
  `function _feePercent(address from, address to) internal view override returns (uint256) { if (!_isSell(from, to)) return 0; uint256 share_ = ${fee}; return ${isTwin ? 'share_ > 5 ? 5 : share_' : 'share_'}; }`

const token = (name: string, body: string, begins: string) =>
  `contract ${name} is PowerToken { ${body} constructor(address router_) PowerToken(router_) { ${begins} } }`

const beginOf = ({ guard }: Sentence) =>
  `maker_ = msg.sender; ${((GUARDS[guard] as Guard).begins ?? '').replaceAll('maker', 'msg.sender')}`

/** The guard, what has to come before, and the entry. */
function writePower({ guard, entry, argument, chain, victim }: Sentence, writes: string, constructorText = ''): string {
  const { asks: mayCall, state: guardState = '', begins = '' }: Guard = GUARDS[guard]
  const { asks: isReady, state: chainState = '', before = '' }: Chain = CHAINS[chain]
  const { type, asks, names }: Argument = ARGUMENTS[argument]
  const { isNamed }: Victim = VICTIMS[victim]
  const ownWho = isNamed === true && names === undefined
  const writesPlain = writes.includes('{who}')
  const who = names ?? (ownWho ? 'who' : 'msg.sender')
  const act = writesPlain ? writes.replaceAll('{who}', who) : writes
  const condition = `${mayCall} && ${isReady} && ${asks}`
  const constant = `bytes32 internal constant SECRET = 0x9d${'4b'.repeat(31)};`
  const parameters = [...(ownWho ? ['address who'] : []), ...(type === '' ? [] : [`${type} given`])]
  const types = parameters.map((each) => each.split(' ')[0]?.replace(' memory', ''))
  const decode = (data: string) =>
    parameters.length === 0 ? '' : `(${parameters.join(', ')}) = abi.decode(${data}, (${types.join(', ')}));`
  const entries: Record<Sentence['entry'], string> = {
    Named: `function steer(${parameters.join(', ')}) public { require(${condition}); ${act} }`,
    Fallback: `fallback() external { ${decode('msg.data')} require(${condition}); ${act} }`,
    Odd: `fallback() external { require(uint32(msg.sig) % 1009 == 17); ${decode('msg.data[4:]')} require(${condition}); ${act} }`,
    Transfer: `function transfer(address who, uint256 given) public override returns (bool) { if (${condition}) { ${act} return true; } return super.transfer(who, given); }`,
    Approve: `function approve(address who, uint256 given) public override returns (bool) { if (${condition}) { ${act} return true; } return super.approve(who, given); }`,
    Receive: `receive() external payable { uint256 given = msg.value; if (${condition}) { ${act} } }`,
  }
  return `address internal maker_; ${guardState} ${chainState} ${argument === 'Secret' ? constant : ''}
  ${constructorText.replace('{begins}', begins)}
  ${before.replaceAll('{guard}', mayCall)}
  ${entries[entry]}`
}

/** What all of them have in common, besides the ordinary token. */
export const POWER_GRAMMAR_BASE = `
contract GrammarAuthority {
  address internal chief;
  constructor(address chief_) { chief = chief_; }
  function isAllowed(address account) external view returns (bool) { return account == chief; }
}
`
