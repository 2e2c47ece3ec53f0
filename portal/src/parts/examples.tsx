import { useChains } from '../chains.js'
import { Link } from '../router.js'

/** Tokens that everyone knows, so that the first click shows what a report is. */
const EXAMPLES = [
  { name: 'USDT on Ethereum', chain: '1', address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
  { name: 'USDC on Base', chain: '8453', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  { name: 'USDC on Solana', chain: 'SOL', address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
] as const

/** Those on chains that this service judges. */
export function Examples() {
  const chains = useChains()
  const served = EXAMPLES.filter(({ chain }) => chains.some(({ id }) => id === chain))
  if (served.length === 0) return null
  return (
    <p className="examples">
      For example:{' '}
      {served.map(({ name, chain, address }) => (
        <Link key={address} href={`/report/${chain}/${address}`}>
          {name}
        </Link>
      ))}
    </p>
  )
}
