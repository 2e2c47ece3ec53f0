import { expect, test } from 'vitest'
import { createTestApp, HONEYPOT, PHISHING, request, SIMULATE } from '../../test/http/test-app.js'
import { withoutCompatFields } from './compat-fields.js'

async function askWith(compat: boolean, url: string, payload: object = request()) {
  const { services } = await createTestApp()
  const { post } = await createTestApp({ services: { config: { ...services.config, compat } } })
  return (await post(payload, { url })).json()
}

test.each([SIMULATE, HONEYPOT, PHISHING])('%s: the switch adds, and changes nothing', async (url) => {
  const [plain, compat] = [await askWith(false, url), await askWith(true, url)]
  expect(compat).not.toEqual(plain)
  expect(withoutCompatFields(compat)).toEqual(plain)
  expect(withoutCompatFields(plain)).toEqual(plain)
})

test('without it the specification counts: a chain is required, and an address by its name', async () => {
  const { targetContractAddress: contractAddress } = request()
  expect((await askWith(false, HONEYPOT, { targetContractAddress: contractAddress, currencySymbol: 'ETH' })).code).toBe(
    'chain_required',
  )
  expect((await askWith(false, HONEYPOT, { contractAddress, chainId: 1 })).code).toBe('address_required')
})

test('with it a coin stands for its chain where none is named', async () => {
  const { targetContractAddress } = request()
  const chainOf = async (more: object) => {
    const { inputs, code } = await askWith(true, HONEYPOT, { targetContractAddress, ...more })
    return inputs?.request.chainId ?? code
  }
  expect(await chainOf({ currencySymbol: 'ETH' })).toBe(1)
  expect(await chainOf({ currencySymbol: 'BNB', chainId: '' })).toBe(56)
  expect(await chainOf({ currencySymbol: 'BNB', chainId: 1 })).toBe(1)
  expect(await chainOf({ currencySymbol: 'BNB', chainId: 7 })).toBe('unsupported_chain')
  for (const currencySymbol of ['eth', 'SOL', 1, null, '__proto__']) {
    expect(await chainOf({ currencySymbol })).toBe('chain_required')
  }
})
