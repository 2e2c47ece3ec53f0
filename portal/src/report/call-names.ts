/**
 * What the functions that a trade goes through are called. A test computes each selector from its
 * signature.
 */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  '0x022c0d9f': 'swap(uint256,uint256,address,bytes)',
  '0x0902f1ac': 'getReserves()',
  '0x095ea7b3': 'approve(address,uint256)',
  '0x128acb08': 'swap(address,bool,int256,uint160,bytes)',
  '0x18160ddd': 'totalSupply()',
  '0x18cbafe5': 'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
  '0x23b872dd': 'transferFrom(address,address,uint256)',
  '0x2e1a7d4d': 'withdraw(uint256)',
  '0x313ce567': 'decimals()',
  '0x3593564c': 'execute(bytes,bytes[],uint256)',
  '0x414bf389': 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
  '0x49404b7c': 'unwrapWETH9(uint256,address)',
  '0x5ae401dc': 'multicall(uint256,bytes[])',
  '0x70a08231': 'balanceOf(address)',
  '0x791ac947': 'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
  '0x7ff36ab5': 'swapExactETHForTokens(uint256,address[],address,uint256)',
  '0xa9059cbb': 'transfer(address,uint256)',
  '0xac9650d8': 'multicall(bytes[])',
  '0xb6f9de95': 'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)',
  '0xd0e30db0': 'deposit()',
  '0xdd62ed3e': 'allowance(address,address)',
  '0xfa461e33': 'uniswapV3SwapCallback(int256,int256,bytes)',
}

/** A name for a call, the best that is known. */
export function nameCall(input: string): string {
  if (input === '0x' || input === '') return 'receive()'
  const selector = input.slice(0, 10).toLowerCase()
  return FUNCTIONS[selector]?.replace(/\(.*$/, '()') ?? selector
}
