import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, type Hex } from '../../hex.js'

/**
 * Functions as tokens of many makers call them. For the reader alone: names are chosen by the
 * author of the code, and prove nothing.
 */
const SIGNATURES = `
transferFrom(address,address,uint256) upgradeTo(address) upgradeToAndCall(address,bytes) upgrade(address,address)
upgradeAndCall(address,address,bytes) changeAdmin(address) transferOwnership(address) renounceOwnership() setOwner(address)
grantRole(bytes32,address) revokeRole(bytes32,address) mint(address,uint256) mint(uint256) mintToken(address,uint256) issue(uint256)
redeem(uint256) burn(uint256) burn(address,uint256) burnFrom(address,uint256) pause() unpause() freezeAccount(address,bool)
addBlackList(address) removeBlackList(address) destroyBlackFunds(address) blacklist(address) unBlacklist(address)
blacklist(address,bool) setBlacklist(address,bool) setBot(address,bool) setBots(address[]) blockBots(address[]) delBot(address)
addBot(address) setBots(address[],bool) freeze(address) unfreeze(address) lock(address) unlock(address)
setFee(uint256) setFees(uint256,uint256) setTax(uint256) setTaxes(uint256,uint256) setBuyFee(uint256) setSellFee(uint256)
setBuyTax(uint256) setSellTax(uint256) updateFees(uint256,uint256) updateBuyFees(uint256,uint256,uint256)
updateSellFees(uint256,uint256,uint256) setTaxFee(uint256) setTaxFeePercent(uint256) setLiquidityFeePercent(uint256)
setParams(uint256,uint256) excludeFromFee(address) includeInFee(address) excludeFromFees(address,bool) excludeFromReward(address)
includeInReward(address) setMaxTxAmount(uint256) setMaxTxPercent(uint256) setMaxTxn(uint256) setMaxWallet(uint256)
setMaxWalletSize(uint256) updateMaxTxnAmount(uint256) updateMaxWalletAmount(uint256) removeLimits() enableTrading() openTrading()
setTrading(bool) setTradingEnabled(bool) tradingStatus(bool) setSwapEnabled(bool) setSwapAndLiquifyEnabled(bool)
setAutomatedMarketMakerPair(address,bool) setPair(address) setRouter(address) setCooldownEnabled(bool) setTransferDelay(bool)
manualSwap() manualswap() manualSend() manualsend() withdraw() withdrawStuckETH() rescueToken(address,uint256)
disableTransfers(bool) enableTransfers(bool) finishMinting() setMinter(address) setMinter(address,bool) multiTransfer(address[],uint256[])
`
  .trim()
  .split(/\s+/)

const bySelector = new Map(
  SIGNATURES.map((signature) => [
    bytesToHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4)),
    signature,
  ]),
)

/** The usual name of a selector; `undefined` where none is known. */
export const signatureOf = (selector: Hex): string | undefined => bySelector.get(selector)
