import { bytesToHex, type Hex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { decodeRlp, encodeRlp, type RlpItem } from '../rlp.js'

/** keccak-256 of the empty string in RLP: the root of a trie without entries. */
export const EMPTY_TRIE_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Nodes by the keccak-256 of their RLP, as far as they are held. */
export type TrieNodes = ReadonlyMap<Hex, Uint8Array>

/**
 * A Merkle Patricia trie (Yellow Paper, appendix D) of which some nodes are held and the rest is
 * known by hash. Synchronous, because the engine is. Keys are taken as they are.
 */
export interface Trie {
  /** `undefined` where the nodes prove that there is none. Throws {@link MissingNodeError}. */
  get(key: Uint8Array): Uint8Array | undefined
  put(key: Uint8Array, value: Uint8Array): void
  /** Throws {@link MissingNodeError} also where the neighbour is needed to close the gap. */
  delete(key: Uint8Array): void
  root(): Hex
}

/** Opens the trie below `root`; without arguments, one without entries. */
export function createTrie(nodes: TrieNodes = new Map(), root: Hex = EMPTY_TRIE_ROOT): Trie {
  const read = (hash: Hex): Node => parseNode(decodeRlp(nodes.get(hash) ?? missing(hash)))
  const resolved = new Map<Hex, Node>()
  const open: Open = (link) => {
    if (typeof link !== 'string') return link
    const node = resolved.get(link) ?? read(link)
    resolved.set(link, node)
    return node
  }
  let top: Link | undefined = root === EMPTY_TRIE_ROOT ? undefined : root
  return {
    get: (key) => find(open, top, toNibbles(key)),
    put(key, value) {
      top = insert(open, top, toNibbles(key), value)
    },
    delete(key) {
      top = remove(open, top, toNibbles(key))
    },
    root: () => (top === undefined ? EMPTY_TRIE_ROOT : typeof top === 'string' ? top : keccak256(encodeNode(top))),
  }
}

/** Half a byte each. */
type Nibbles = Uint8Array
/** A node, or the hash of one that was not opened. Nodes are never changed, only replaced. */
type Link = Node | Hex
type Open = (link: Link) => Node
type Node =
  | { kind: 'leaf'; path: Nibbles; value: Uint8Array; encoded?: Uint8Array }
  | { kind: 'extension'; path: Nibbles; child: Link; encoded?: Uint8Array }
  | { kind: 'branch'; children: readonly (Link | undefined)[]; value?: Uint8Array | undefined; encoded?: Uint8Array }

const WIDTH = 16

function find(open: Open, link: Link | undefined, path: Nibbles): Uint8Array | undefined {
  if (link === undefined) return undefined
  const node = open(link)
  if (node.kind === 'leaf') return isEqual(node.path, path) ? node.value : undefined
  if (node.kind === 'extension') {
    const { length } = node.path
    return shared(node.path, path) === length ? find(open, node.child, path.subarray(length)) : undefined
  }
  const [first] = path
  return first === undefined ? node.value : find(open, node.children[first], path.subarray(1))
}

function insert(open: Open, link: Link | undefined, path: Nibbles, value: Uint8Array): Node {
  if (link === undefined) return { kind: 'leaf', path, value }
  const node = open(link)
  if (node.kind === 'branch') return insertIntoBranch(open, node.children, node.value, path, value)
  const common = shared(node.path, path)
  if (node.kind === 'leaf' && common === node.path.length && common === path.length)
    return { kind: 'leaf', path, value }
  if (node.kind === 'extension' && common === node.path.length)
    return { kind: 'extension', path: node.path, child: insert(open, node.child, path.subarray(common), value) }
  const split = splitAt(open, node, common)
  const branch = insertIntoBranch(open, split.children, split.value, path.subarray(common), value)
  return common === 0 ? branch : { kind: 'extension', path: path.subarray(0, common), child: branch }
}

/** What a leaf or extension becomes where another key leaves its path. */
function splitAt(open: Open, node: Exclude<Node, { kind: 'branch' }>, at: number) {
  const rest = node.path.subarray(at)
  const none: (Link | undefined)[] = new Array(WIDTH).fill(undefined)
  if (node.kind === 'leaf') return insertIntoBranch(open, none, undefined, rest, node.value)
  const [first = 0] = rest
  const below: Link = rest.length === 1 ? node.child : { kind: 'extension', path: rest.subarray(1), child: node.child }
  return { children: none.with(first, below), value: undefined }
}

function insertIntoBranch(
  open: Open,
  children: readonly (Link | undefined)[],
  own: Uint8Array | undefined,
  path: Nibbles,
  value: Uint8Array,
): Extract<Node, { kind: 'branch' }> {
  const [first] = path
  if (first === undefined) return { kind: 'branch', children, value }
  const child = insert(open, children[first], path.subarray(1), value)
  return { kind: 'branch', children: children.with(first, child), value: own }
}

function remove(open: Open, link: Link | undefined, path: Nibbles): Link | undefined {
  if (link === undefined) return undefined
  const node = open(link)
  if (node.kind === 'leaf') return isEqual(node.path, path) ? undefined : link
  if (node.kind === 'extension') {
    if (shared(node.path, path) < node.path.length) return link
    const child = remove(open, node.child, path.subarray(node.path.length))
    return child === node.child ? link : child && prepend(open, node.path, child)
  }
  const [first] = path
  if (first === undefined) return node.value === undefined ? link : close(open, node.children, undefined)
  const child = remove(open, node.children[first], path.subarray(1))
  return child === node.children[first] ? link : close(open, node.children.with(first, child), node.value)
}

/** A branch with one thing left in it is no branch. */
function close(open: Open, children: readonly (Link | undefined)[], value: Uint8Array | undefined): Node | undefined {
  const left = children.flatMap((child, nibble) => (child === undefined ? [] : [{ child, nibble }]))
  const [only] = left
  if (left.length > 1 || (only && value !== undefined)) return { kind: 'branch', children, value }
  if (only) return prepend(open, Uint8Array.of(only.nibble), only.child)
  return value && { kind: 'leaf', path: new Uint8Array(0), value }
}

function prepend(open: Open, path: Nibbles, link: Link): Node {
  const node = open(link)
  if (node.kind === 'branch') return { kind: 'extension', path, child: link }
  const joined = Uint8Array.from([...path, ...node.path])
  return node.kind === 'leaf'
    ? { kind: 'leaf', path: joined, value: node.value }
    : { kind: 'extension', path: joined, child: node.child }
}

function encodeNode(node: Node): Uint8Array {
  node.encoded ??= encodeRlp(toItem(node))
  return node.encoded
}

function toItem(node: Node): RlpItem {
  if (node.kind === 'leaf') return [packPath(node.path, true), node.value]
  if (node.kind === 'extension') return [packPath(node.path, false), reference(node.child)]
  return [...node.children.map((child) => (child === undefined ? NONE : reference(child))), node.value ?? NONE]
}

const NONE = new Uint8Array(0)
const HASH_BYTES = 32

/** Nodes shorter than a hash stand in their parent. */
function reference(link: Link): RlpItem {
  if (typeof link === 'string') return Buffer.from(link.slice(2), 'hex')
  const encoded = encodeNode(link)
  return encoded.length < HASH_BYTES ? toItem(link) : Buffer.from(keccak256(encoded).slice(2), 'hex')
}

function parseNode(item: RlpItem): Node {
  if (item instanceof Uint8Array) return malformed()
  if (item.length === WIDTH + 1) {
    const value = bytesOf(item[WIDTH])
    const children = item.slice(0, WIDTH).map(parseLink)
    return { kind: 'branch', children, value: value.length === 0 ? undefined : value }
  }
  if (item.length !== 2) return malformed()
  const packed = bytesOf(item[0])
  const flags = (packed[0] ?? malformed()) >> 4
  const path = toNibbles(packed).subarray(flags & 1 ? 1 : 2)
  if (flags > 3) return malformed()
  if (flags & 2) return { kind: 'leaf', path, value: bytesOf(item[1]) }
  return { kind: 'extension', path, child: parseLink(item[1]) ?? malformed() }
}

function parseLink(item: RlpItem | undefined): Link | undefined {
  if (item === undefined) return malformed()
  if (!(item instanceof Uint8Array)) return parseNode(item)
  if (item.length === 0) return undefined
  return item.length === HASH_BYTES ? bytesToHex(item) : malformed()
}

const bytesOf = (item: RlpItem | undefined): Uint8Array => (item instanceof Uint8Array ? item : malformed())

function malformed(): never {
  throw new RangeError('no trie node')
}

function packPath(path: Nibbles, isLeaf: boolean): Uint8Array {
  const isOdd = path.length % 2 === 1
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  const nibbles = isOdd ? [flags, ...path] : [flags, 0, ...path]
  return Uint8Array.from(
    { length: nibbles.length / 2 },
    (_, i) => (nibbles[2 * i] as number) * 16 + (nibbles[2 * i + 1] as number),
  )
}

function toNibbles(bytes: Uint8Array): Nibbles {
  const nibbles = new Uint8Array(2 * bytes.length)
  bytes.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  })
  return nibbles
}

function shared(a: Nibbles, b: Nibbles): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

const isEqual = (a: Nibbles, b: Nibbles) => a.length === b.length && shared(a, b) === a.length

function missing(hash: Hex): never {
  throw new MissingNodeError(hash)
}

/** A node on the way is known by its hash alone: nothing is proven about what lies behind it. */
export class MissingNodeError extends Error {
  override readonly name = 'MissingNodeError'
  constructor(readonly hash: Hex) {
    super(`missing trie node ${hash}`)
  }
}
