import { plainText } from '../../untrusted-text.js'
import type { PhishingFinding, PhishingFindingId } from './phishing-facts.js'

type Writer = (finding: PhishingFinding) => string

const WORDS: Record<PhishingFindingId, Writer> = {
  'allowance-puller': (f) => `${who(f)} took ${what(f)} that a victim had approved to this contract${where(f)}.`,
  'permit2-puller': (f) => `${who(f)} took ${what(f)} that a victim had allowed through Permit2${where(f)}.`,
  'nft-puller': (f) => `${who(f)} took ${what(f)} of a victim that had made this contract an operator${where(f)}.`,
  'guarded-executor': (f) =>
    `${who(f)} made this contract call anything, and so took ${what(f)} that a victim had approved to it${where(f)}.`,
  'approve-first-claim': (f) =>
    `A wallet that calls ${named(f)} loses ${what(f)} that it approved before, and has nothing for it${where(f)}.`,
  'token-side-drain': (f) => `Sending this token also takes ${what(f)} of the sender${where(f)}.`,
  'permit-puller': (f) => `${who(f)} used a victim's signature to take ${what(f)}${where(f)}.`,
  'payable-forwarder': (f) =>
    `What is paid to ${named(f)} goes to another address, and nothing is given for it${where(f)}.`,
  'receive-sweeper': (f) => `What is sent to this address goes to another address at once${where(f)}.`,
  'delegation-sweeper': (f) =>
    `This account has delegated to code that sends everything it receives to another address${where(f)}.`,
  'withdraw-bait': (f) =>
    `What is paid in cannot be taken out again${f.selector === undefined ? '' : ` by the payer; its owner takes it by ${named(f)}`}.`,
  'counterfeit-events': (f) => `${named(f)} records transfers of accounts whose balance does not change.`,
  'lure-text': (f) => `Its texts are an advertisement: "${plainText(f.text ?? '', MAX_TEXT)}".`,
  'open-executor': (f) =>
    `Any address can make this contract call anything (${named(f)}): nothing that is approved to it is safe, and it asks for no approval.`,
  'operator-is-contract': (f) =>
    `The contract ${f.caller} can take what is approved to this one; whom it obeys was not looked at.`,
  'wallet-module': (f) => `Modules that this wallet has enabled itself can make it call anything (${named(f)}).`,
  donation: (f) => `What is paid to ${named(f)} goes to another address, with thanks${where(f)}.`,
  'hidden-operator': (f) =>
    `An account that the code recognises by an obfuscated check can take what is approved to this contract (${named(f)})${where(f)}.`,
  'signed-order': (f) =>
    `One account's signature is enough to take what is approved to this contract (${named(f)})${where(f)}. That account was assumed to sign.`,
  'secret-puller': (f) =>
    `A secret that the caller has to know is enough to take what is approved to this contract (${named(f)})${where(f)}. It was assumed to be known.`,
  'spender-phishing': (f) =>
    `You would let ${f.grantedTo} take ${amountWords(f)}, and that address is not to be trusted with it.`,
  'counterfactual-spender': (f) =>
    `You would let ${f.grantedTo} take ${amountWords(f)}: an address without code and without history, at which anything can appear.`,
  'signed-permission': (f) => `Your signature alone would let ${f.grantedTo} take ${amountWords(f)}.`,
  'open-delegation': (f) =>
    `${who(f)} could take what the account owns once it runs the code of ${f.grantedTo} (${named(f)})${where(f)}.`,
  'wallet-takeover': (f) => `The account ${f.caller} would run other code from then on, and obey it in everything.`,
  'wallet-drain': (f) =>
    `Nearly all of ${f.asset === undefined ? 'what you own' : `the token ${f.asset.token}`} would go to an account that the request does not name, for nothing${where(f)}.`,
  'zero-price-order': (f) => `Your signature would sell what you own for ${f.text ?? 'nothing'}.`,
}

const MAX_TEXT = 80

/** A finding in one sentence for a person. Addresses in it are lower case. */
export function describeFinding(finding: PhishingFinding): string {
  return WORDS[finding.id](finding)
}

function who({ by, caller }: PhishingFinding): string {
  if (by === 'anyone') return 'Any address'
  return by === 'holder' ? `The privileged account ${caller}` : 'An account on its list'
}

const named = ({ selector }: PhishingFinding) => (selector === undefined ? 'this address' : `the function ${selector}`)

const where = ({ to }: PhishingFinding) => (to === undefined ? '' : `; it went to ${to}`)

function what({ asset, amount }: PhishingFinding): string {
  if (asset === undefined) return 'native coin'
  if (asset.kind !== 'erc20') return `${amount ?? ''} NFT`.trim()
  return `${amount ?? 'some'} base units of ${asset.token}`
}

function amountWords({ asset, amount }: PhishingFinding): string {
  const token = asset === undefined ? 'your tokens' : `the token ${asset.token}`
  return amount === undefined ? `all of ${token}` : `${amount} base units of ${token}`
}
