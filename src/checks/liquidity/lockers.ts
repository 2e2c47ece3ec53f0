import type { Address } from '../../hex.js'

/**
 * Locking services and the addresses that they publish in their documentation (UNCX "Contract
 * addresses", Team Finance "Smart contracts", PinkSale "PinkLock V2"; read 2026-11-21). They only
 * put a name to an address: whether a lock holds is tried.
 */
const SERVICES: ReadonlyMap<number, ReadonlyMap<Address, string>> = new Map([
  [
    1,
    new Map<Address, string>([
      ['0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214', 'UNCX'],
      ['0xe2fe530c047f2d85298b07d9333c05737f1435fb', 'Team Finance'],
      ['0x71b5759d73262fbb223956913ecf4ecc51057641', 'PinkLock'],
    ]),
  ],
  [
    56,
    new Map<Address, string>([
      ['0xc765bddb93b0d1c1a88282ba0fa6b2d00e3e0c83', 'UNCX'],
      ['0x407993575c91ce7643a4d4ccacc9a98c36ee1bbe', 'PinkLock'],
    ]),
  ],
])

export function serviceAt(chainId: number, address: Address): string | undefined {
  return SERVICES.get(chainId)?.get(address)
}
