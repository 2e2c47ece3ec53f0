/**
 * What the functions that a trade goes through are called, are given and give back. A test computes
 * each selector from its signature.
 */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  '0x022c0d9f': 'swap(uint256 amount0Out,uint256 amount1Out,address to,bytes data)',
  '0x0902f1ac': 'getReserves() returns (uint256 reserve0,uint256 reserve1,uint256 time)',
  '0x095ea7b3': 'approve(address spender,uint256 amount) returns (bool)',
  '0x128acb08':
    'swap(address to,bool zeroForOne,int256 amount,uint160 limit,bytes data) returns (int256 amount0,int256 amount1)',
  '0x18160ddd': 'totalSupply() returns (uint256 amount)',
  '0x18cbafe5':
    'swapExactTokensForETH(uint256 amount,uint256 least,address[] path,address to,uint256 deadline) returns (uint256[])',
  '0x23b872dd': 'transferFrom(address from,address to,uint256 amount) returns (bool)',
  '0x2e1a7d4d': 'withdraw(uint256 wad)',
  '0x313ce567': 'decimals() returns (uint8)',
  '0x3593564c': 'execute(bytes commands,bytes[] inputs,uint256 deadline)',
  '0x414bf389':
    'exactInputSingle((address from,address into,uint24 fee,address to,uint256 deadline,uint256 sold,uint256 least,uint160 limit) order) returns (uint256 bought)',
  '0x49404b7c': 'unwrapWETH9(uint256 least,address to)',
  '0x5ae401dc': 'multicall(uint256 deadline,bytes[] calls) returns (bytes[])',
  '0x70a08231': 'balanceOf(address owner) returns (uint256 amount)',
  '0x791ac947':
    'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amount,uint256 least,address[] path,address to,uint256 deadline)',
  '0x7ff36ab5': 'swapExactETHForTokens(uint256 least,address[] path,address to,uint256 deadline) returns (uint256[])',
  '0xa9059cbb': 'transfer(address to,uint256 amount) returns (bool)',
  '0xac9650d8': 'multicall(bytes[] calls) returns (bytes[])',
  '0xb6f9de95':
    'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 least,address[] path,address to,uint256 deadline)',
  '0xd0e30db0': 'deposit()',
  '0xdd62ed3e': 'allowance(address owner,address spender) returns (uint256 amount)',
  '0xfa461e33': 'uniswapV3SwapCallback(int256 amount0,int256 amount1,bytes data)',
}

/** What the function of a call is called, the best that is known. */
export function nameFunction(input: string): string {
  if (input === '0x' || input === '') return 'receive'
  const selector = input.slice(0, 10).toLowerCase()
  return FUNCTIONS[selector]?.replace(/\(.*$/, '') ?? selector
}

/** The same, marked as a function where a name is known. */
export function nameCall(input: string): string {
  const name = nameFunction(input)
  return name.startsWith('0x') ? name : `${name}()`
}
