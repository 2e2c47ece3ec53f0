import { spellAddresses } from '../../checksum-address.js'
import { COIN_DECIMALS, hasUnits, toDecimal } from '../../decimal-text.js'
import { plainText } from '../../untrusted-text.js'
import type { PhishingFinding, PhishingFindingId } from './phishing-facts.js'

type Writer = (finding: PhishingFinding) => string

const tellModule: Writer = (f) =>
  `${who(f)} can take ${what(f)} of every wallet that enables this contract as its module, by ${named(f)}${where(f)}.`

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
  'withdraw-bait': tellBait,
  'late-lock': (f) =>
    f.by === 'victim'
      ? `What is paid in can be taken out now by ${named(f)}, and not any more after some time.`
      : `What is paid in can be taken out until ${whoIs(f)} calls ${named(f)}, and less than half of it, or nothing, after that.`,
  'exit-switch': (f) => `${who(f)} can shut the way out for what is paid in (${named(f)}), and open it again.`,
  'deposit-taker': (f) => `${who(f)} can take what others have paid in (${steps(f)})${where(f)}.`,
  'announced-taker': (f) =>
    `${who(f)} can take what others have paid in (${steps(f)}), after a delay in which they can take it out.`,
  'skimmed-exchange': (f) =>
    `Of what is exchanged by ${named(f)}, half or more is kept by another account (${what(f)} in the test)${where(f)}.`,
  'counterfeit-events': (f) =>
    f.by === 'victim'
      ? `${named(f)} records that its caller got an NFT which the contract does not know as his.`
      : `${named(f)} records transfers of accounts whose balance does not change.`,
  'lure-text': (f) => `Its texts are an advertisement: "${plainText(f.text ?? '', MAX_TEXT)}".`,
  'open-executor': (f) =>
    `Any address can make this contract call anything (${named(f)}): nothing that is approved to it is safe, and it asks for no approval.`,
  'exposed-approvals': (f) =>
    `Any address can make this contract call anything (${named(f)}), and so took ${what(f)} that a victim had approved to it; the contract asks for approvals (${named({ ...f, selector: f.invitedBy })})${where(f)}.`,
  'operator-is-contract': (f) =>
    `The contract ${f.caller} can take what is approved to this one; who controls it was not looked at.`,
  'wallet-module': (f) => `Modules that this wallet has enabled itself can make it call anything (${named(f)}).`,
  'module-taker': tellModule,
  'module-master': tellModule,
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
  'unclaimed-account': (f) =>
    `The first that calls it owns an account that runs this code, and takes what it has by ${named(f)}.`,
  'wallet-takeover': (f) => `The account ${f.caller} would run other code from then on, and obey it in everything.`,
  'wallet-drain': (f) =>
    `Nearly all of ${f.asset === undefined ? 'what you own' : `the token ${tokenName(f.asset)}`} would go to an account that the request does not name, for nothing${where(f)}.`,
  'zero-price-order': (f) => `Your signature would sell what you own for ${f.text ?? 'nothing'}.`,
}

const MAX_TEXT = 80
const MAX_SYMBOL = 16

type Asset = NonNullable<PhishingFinding['asset']>

/** A finding in one sentence: amounts in whole tokens, addresses with their checksum. */
export function describeFinding(finding: PhishingFinding): string {
  return spellAddresses(WORDS[finding.id](finding))
}

function tellBait(f: PhishingFinding): string {
  if (f.selector === undefined) return 'What is paid in cannot be taken out again.'
  if (f.by === 'victim' && f.to === undefined)
    return `What is paid in is gone when its payer takes it out by ${named(f)}, and nothing comes of it.`
  return f.by === 'victim'
    ? `What is paid in goes to another account when its payer takes it out by ${named(f)}${where(f)}.`
    : `What is paid in cannot be taken out again by the payer; ${whoIs(f)} takes it by ${named(f)}.`
}

function who({ by, caller }: PhishingFinding): string {
  if (by === 'anyone') return 'Any address'
  return by === 'holder' ? `The privileged account ${caller}` : 'An account on its list'
}

function whoIs(finding: PhishingFinding): string {
  const words = who(finding)
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`
}

const steps = (finding: PhishingFinding) =>
  (finding.steps?.length ?? 0) > 1 ? `the functions ${finding.steps?.join(', then ')}` : named(finding)

const named = ({ selector }: PhishingFinding) => (selector === undefined ? 'this address' : `the function ${selector}`)

const where = ({ to }: PhishingFinding) => (to === undefined ? '' : `; it went to ${to}`)

function what({ asset, amount }: PhishingFinding): string {
  if (asset === undefined)
    return amount === undefined ? 'native coin' : `${toDecimal(amount, COIN_DECIMALS)} native coin`
  if (asset.kind !== 'erc20') return `${amount ?? ''} NFT`.trim()
  return amount === undefined ? `some ${tokenName(asset)}` : amountOf(asset, amount)
}

const amountWords = ({ asset, amount }: PhishingFinding): string => {
  const token = asset === undefined ? 'your tokens' : `the token ${tokenName(asset)}`
  return asset === undefined || amount === undefined ? `all of ${token}` : amountOf(asset, amount)
}

/** In whole tokens, where the token says what one is. It may lie: its address stands beside it. */
const amountOf = (asset: Asset, amount: bigint): string =>
  hasUnits(asset.decimals)
    ? `${toDecimal(amount, asset.decimals)} ${tokenName(asset)}`
    : `${amount} base units of ${tokenName(asset)}`

const tokenName = ({ symbol, token }: Asset): string => {
  const name = plainText(symbol, MAX_SYMBOL)
  return name === '' ? token : `${name} (${token})`
}
