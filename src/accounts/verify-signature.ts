import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  getAddress,
  hashMessage,
  isErc6492Signature,
  parseAbi,
  recoverAddress,
} from 'viem'
import { type Address, type Hex, hexToBytes } from '../hex.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { decodeBase58 } from '../solana/base58.js'
import type { SignInMessage } from './sign-in-message.js'
import { contractWallet, ethereumAccount, solanaAccount, type Wallet } from './wallet.js'

/**
 * Lets a node of the chain run a call on its newest state. Without `to`, the data is init code.
 * Rejects when no node answers, or the call reverts.
 */
export type CallNode = (chainId: number, call: { wallet: Address; to?: Address; data: Hex }) => Promise<Hex>

export interface SignedText {
  /** Exactly what was signed. */
  text: string
  /** The same, read. */
  message: SignInMessage
  /** Hex; for Solana base 58 as well. */
  signature: string
}

/**
 * Whose signature it is, when it is the signature of the account that the message names; otherwise
 * `undefined`. Accounts with a key are known by it (ECDSA for Ethereum, Ed25519 for Solana);
 * anything else is asked of the contract at that address, deployed (ERC-1271) or not yet
 * (ERC-6492). Rejects only when a contract would have to be asked and no node answers.
 */
export async function verifySignature(signed: SignedText, callNode: CallNode): Promise<Wallet | undefined> {
  const { message, signature } = signed
  if (message.ledger === 'Solana') return verifySolana(signed)
  const address = parseChecksummed(message.address)
  if (address === undefined || !SIGNATURE_FORM.test(signature)) return undefined
  const hash = hashMessage(signed.text)
  if ((await recoverOwn(hash, signature as Hex)) === address) return ethereumAccount(address)
  const chainId = Number(message.chainId)
  const isValid = await askContract({ address, hash, signature: signature as Hex, chainId }, callNode)
  return isValid ? contractWallet(chainId, address) : undefined
}

/**
 * A multisignature of 50 owners has 3,250 bytes; the body of a request is not larger than this by
 * far.
 */
const SIGNATURE_FORM = /^0x(?:[0-9a-f]{2}){1,4096}$/i

/** EIP-4361 demands the checksum of EIP-55. */
function parseChecksummed(text: string): Address | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const lower = text.toLowerCase() as Address
  return getAddress(lower) === text ? lower : undefined
}

const R_S_V_BYTES = 65
const HALF_ORDER = secp256k1.Point.Fn.ORDER / 2n

/**
 * The account that signed, for a signature in the one form that wallets make: 65 bytes, `s` in the
 * lower half of the order (EIP-2), `v` 27 or 28. The other forms of the same signature are not
 * accepted, so that no second one can be made from it.
 */
async function recoverOwn(hash: Hex, signature: Hex): Promise<Address | undefined> {
  const bytes = hexToBytes(signature)
  if (bytes.length !== R_S_V_BYTES) return undefined
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = bytes[R_S_V_BYTES - 1]
  if (s > HALF_ORDER || (v !== 27 && v !== 28)) return undefined
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() as Address
  } catch {
    // No point of the curve.
    return undefined
  }
}

interface ContractQuestion {
  address: Address
  hash: Hex
  signature: Hex
  chainId: number
}

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

/** What `isValidSignature` answers when it is (ERC-1271), as a word. */
const ERC1271_YES = `0x1626ba7e${'0'.repeat(56)}`

async function askContract(question: ContractQuestion, callNode: CallNode): Promise<boolean> {
  const { address, hash, signature, chainId } = question
  const args = [hash, signature] as const
  try {
    if (isErc6492Signature(signature)) {
      const data = encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        bytecode: erc6492SignatureValidatorByteCode,
        args: [address, ...args],
      })
      return (await callNode(chainId, { wallet: address, data })) === '0x01'
    }
    const data = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args })
    return (await callNode(chainId, { wallet: address, to: address, data })) === ERC1271_YES
  } catch (error) {
    // A contract that reverts says no.
    if (error instanceof RpcRejectedError && error.isAnswer) return false
    throw error
  }
}

const ED25519_BYTES = 64
const BASE58_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

function verifySolana({ text, message: { address }, signature }: SignedText): Wallet | undefined {
  const publicKey = decodeBase58(address)
  const bytes = SIGNATURE_FORM.test(signature)
    ? hexToBytes(signature)
    : BASE58_SIGNATURE.test(signature)
      ? decodeBase58(signature)
      : undefined
  if (publicKey?.length !== 32 || bytes?.length !== ED25519_BYTES) return undefined
  try {
    // Not the lenient rule of ZIP-215: `s` must be below the order and points must be canonical, so
    // that there is one signature only.
    const isValid = ed25519.verify(bytes, new TextEncoder().encode(text), publicKey, { zip215: false })
    return isValid ? solanaAccount(address) : undefined
  } catch {
    return undefined
  }
}
