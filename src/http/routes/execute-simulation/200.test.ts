import { Check, Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { failedCheck, sampleChecks, sampleSimulate } from '../../../../test/http/sample-checks.js'
import { createTestApp, request, TOKEN } from '../../../../test/http/test-app.js'
import { chains } from '../../../chains/index.js'
import type { AnalysisTarget } from '../../../checks/target.js'
import { SimulationReport } from '../../../reports/simulation/schema.js'

test('a report has every field of the specification, in its words and formats', async () => {
  const { post } = await createTestApp()
  const response = await post(request())
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.json()).toMatchInlineSnapshot(`
    {
      "block": {
        "hash": "0xabababababababababababababababababababababababababababababababab",
        "number": 21000001,
        "timestamp": "2026-01-02T03:00:00.000Z",
      },
      "checks": {
        "byteCodeResult": {
          "codeHash": "0xabababababababababababababababababababababababababababababababab",
          "complete": true,
          "conditions": [],
          "confidence": "MEDIUM",
          "coverage": null,
          "gaps": [],
          "humanWarning": "It can be sold now; in 24 hours, selling costs 49.5 %. What is approved to it was taken from a victim, who got nothing for it. The contract can be destroyed, which would leave every holder with nothing.",
          "isContract": true,
          "normalisedHash": null,
          "proxy": [
            {
              "address": "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
              "admin": null,
              "codeHash": "0xabababababababababababababababababababababababababababababababab",
              "kind": "EIP-1967",
              "slot": "0xabababababababababababababababababababababababababababababababab",
            },
          ],
          "riskFlags": [
            {
              "confidence": "MEDIUM",
              "description": "The contract can be destroyed, which would leave every holder with nothing.",
              "evidence": [
                {
                  "address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                  "holder": "anyone",
                  "pc": 77,
                  "selector": "0x41c0e1b5",
                },
              ],
              "id": "kill-switch",
              "threatLevel": "HIGH",
              "title": "Kill Switch Detected",
            },
          ],
          "selectors": [
            "0x41c0e1b5",
          ],
          "trustStatus": "Critical Risk",
        },
        "simulateResult": {
          "allowanceChanged": false,
          "allowanceDelta": "0",
          "buyTax": "5",
          "conditions": [],
          "coverage": null,
          "engine": "interpreter",
          "errorReason": "",
          "estimatedTax": "8",
          "ethDelta": "-6000000000000000",
          "gasUsed": "312456",
          "inconclusive": null,
          "isHoneypot": false,
          "isProfit": false,
          "isReentrancy": false,
          "returnData": "0x",
          "sellTax": "8",
          "simulatedAt": "2026-01-02T03:04:05.678Z",
          "simulation": {
            "calls": [
              {
                "calls": [
                  {
                    "from": "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
                    "gas": "0x1000",
                    "gasUsed": "0x10",
                    "input": "0x70a08231",
                    "output": "0x01",
                    "to": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                    "type": "STATICCALL",
                    "value": "0x0",
                  },
                ],
                "from": "0x00000000000000000000000000000000000000aa",
                "gas": "0x989680",
                "gasUsed": "0x1d4c0",
                "input": "0x7ff36ab5",
                "output": "0x",
                "to": "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
                "type": "CALL",
                "value": "0x2386f26fc10000",
              },
              {
                "error": "out of gas",
                "from": "0x00000000000000000000000000000000000000aa",
                "gas": "0x1",
                "gasUsed": "0x1",
                "input": "0x",
                "output": "0x",
                "revertReason": "no",
                "to": "0x",
                "type": "CREATE2",
                "value": "0x0",
              },
            ],
            "isTruncated": false,
            "logs": [
              {
                "address": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                "data": "0x01",
                "topics": [
                  "0xabababababababababababababababababababababababababababababababab",
                ],
              },
            ],
          },
          "steps": [
            {
              "branch": "main",
              "errorReason": "",
              "gasUsed": "120000",
              "name": "buy",
              "success": true,
              "waitedSeconds": 0,
            },
          ],
          "success": true,
          "tokenDelta": "0",
          "transferTax": "0",
          "venue": {
            "name": "Uniswap V2",
            "pool": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
            "testedOn": "real code",
          },
          "watchedTokens": "0xdAC17F958D2ee523a2206206994597C13D831ec7,0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
          "watchedTokensDeltas": "0,-1",
        },
        "transactionHistoryResult": {
          "activityPulse": "Active",
          "message": "24 transfers in the last 24 hours.",
          "recentTransfers": [
            {
              "amount": "1.5",
              "blockNumber": 21000000,
              "date": "2026-01-02T00:00:00.000Z",
              "from": "0x00000000000000000000000000000000000000AA",
              "hash": "0xabababababababababababababababababababababababababababababababab",
              "logIndex": 3,
              "symbol": "TKN",
              "to": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
              "value": "1500000000000000000",
            },
          ],
          "success": true,
          "summary": {
            "firstMintDate": null,
            "hours": [
              null,
              0,
              0,
              0,
              2,
              1,
              0,
              0,
              0,
              3,
              5,
              1,
              0,
              0,
              0,
              2,
              2,
              0,
              1,
              0,
              0,
              4,
              2,
              1,
            ],
            "last24Hours": {
              "buys": 12,
              "isEstimate": false,
              "receivers": 9,
              "sells": 5,
              "senders": 6,
              "transfers": 24,
            },
            "last7Days": {
              "buys": 60,
              "isEstimate": true,
              "receivers": 22,
              "sells": 31,
              "senders": 14,
              "transfers": 130,
            },
            "lastTransferDate": "2026-01-02T00:00:00.000Z",
            "makeBelieve": [
              {
                "description": "30 of 130 transfers moved nothing.",
                "id": "zero-value-transfers",
              },
            ],
            "totalERC20Volume": "2.5",
            "totalTransfers": 130,
            "uniqueWallets": 25,
          },
        },
      },
      "engineVersion": "1.2.3",
      "family": null,
      "inputs": {
        "check": "simulation",
        "digest": "0x813fceaf9785ce453b68d42b8a9a82f1f02c35fa631f69153069c2b93a1d2329",
        "request": {
          "chainId": 1,
          "targetContractAddress": "0x514910771af9ca656af840dff83e8264ecf986ca",
        },
        "traderSeed": "0xd8117281af0ab27afa77c3a65e7c8e37c4e94e0ef8f4cc684333b2ecf0bad07c",
      },
      "overall": {
        "advice": "Do not buy",
        "headline": "It cannot be sold later.",
        "inconclusive": null,
        "level": "Critical Risk",
        "reason": "It can be sold now; in 24 hours, selling costs 49.5 %. What is approved to it was taken from a victim, who got nothing for it. The contract can be destroyed, which would leave every holder with nothing.",
        "score": 95,
      },
      "success": true,
      "token": {
        "decimals": 18,
        "imitates": null,
        "marks": [],
        "name": "Sample Token",
        "symbol": "TKN",
        "totalSupply": "1000000000000000000000000",
      },
    }
  `)
})

test('every report matches the schema that documents it', async () => {
  const reports = [
    sampleChecks,
    { ...sampleChecks, trade: failedCheck('no time left') },
    { ...sampleChecks, bytecode: failedCheck('no code'), history: failedCheck('no logs') },
  ]
  for (const checks of reports) {
    const { post } = await createTestApp({ services: { simulation: async () => checks } })
    const body = (await post(request())).json()
    expect([...Errors(SimulationReport, body)]).toEqual([])
    expect(Check(SimulationReport, body)).toBe(true)
  }
})

test('4.1.4: a simulation that failed is a 200 with its reason', async () => {
  const trade = { ...sampleSimulate, success: false, errorReason: 'execution reverted: paused', isHoneypot: true }
  const { post } = await createTestApp({ services: { simulation: async () => ({ ...sampleChecks, trade }) } })
  const body = (await post(request())).json()
  expect(body.success).toBe(true)
  expect(body.checks.simulateResult).toMatchObject({
    success: false,
    errorReason: 'execution reverted: paused',
    humanReason: 'execution reverted: paused',
    isHoneypot: true,
  })
})

describe('one check that could not be made', () => {
  test('the simulation: every field is there, neutral, and the others answer', async () => {
    const simulation = async () => ({ ...sampleChecks, trade: failedCheck('The node did not answer') })
    const { post } = await createTestApp({ services: { simulation } })
    const { checks, overall } = (await post(request())).json()
    expect(checks.simulateResult).toMatchInlineSnapshot(`
      {
        "allowanceChanged": false,
        "allowanceDelta": "0",
        "buyTax": null,
        "conditions": [],
        "coverage": null,
        "engine": "interpreter",
        "errorReason": "The node did not answer",
        "estimatedTax": "0",
        "ethDelta": "0",
        "gasUsed": "0",
        "humanReason": "The node did not answer",
        "inconclusive": "The node did not answer",
        "isHoneypot": false,
        "isProfit": false,
        "isReentrancy": false,
        "returnData": "0x",
        "sellTax": null,
        "simulatedAt": "2026-01-01T00:00:00.000Z",
        "simulation": {
          "calls": [],
          "isTruncated": false,
          "logs": [],
        },
        "steps": [],
        "success": false,
        "tokenDelta": "0",
        "transferTax": null,
        "venue": null,
        "watchedTokens": "0xdAC17F958D2ee523a2206206994597C13D831ec7,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,0x6B175474E89094C44Da98b954EedeAC495271d0F,0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
        "watchedTokensDeltas": "0,0,0,0",
      }
    `)
    expect(checks.byteCodeResult.riskFlags).toHaveLength(1)
    expect(overall.inconclusive).toContain('our analysis')
    expect(checks.transactionHistoryResult.success).toBe(true)
  })

  test('the bytecode: never better than Medium Risk, and it says why', async () => {
    const simulation = async () => ({ ...sampleChecks, bytecode: failedCheck('Internal error') })
    const { post } = await createTestApp({ services: { simulation } })
    expect((await post(request({ only: true }))).json().checks.byteCodeResult).toMatchInlineSnapshot(`
      {
        "codeHash": null,
        "complete": false,
        "conditions": [],
        "confidence": "LOW",
        "coverage": null,
        "gaps": [
          "Internal error",
        ],
        "humanWarning": "Part of our analysis could not be made, which says nothing about it.",
        "isContract": true,
        "normalisedHash": null,
        "proxy": [],
        "riskFlags": [],
        "selectors": [],
        "trustStatus": "Medium Risk",
      }
    `)
  })

  test('the bytecode of what the simulation found to be an account', async () => {
    const trade = { ...sampleSimulate, kind: 'account' } as const
    const simulation = async () => ({ ...sampleChecks, trade, bytecode: failedCheck('Internal error') })
    const { post } = await createTestApp({ services: { simulation } })
    expect((await post(request())).json().checks.byteCodeResult.isContract).toBe(false)
  })

  test('the history: unknown is not dead', async () => {
    const simulation = async () => ({ ...sampleChecks, history: failedCheck('Internal error') })
    const { post } = await createTestApp({ services: { simulation } })
    expect((await post(request())).json().checks.transactionHistoryResult).toEqual({
      success: false,
      activityPulse: null,
      message: 'The history could not be read: Internal error',
      recentTransfers: [],
      summary: null,
    })
  })
})

describe('what reaches the analysis', () => {
  const targetOf = async (body: object, { compat = false } = {}): Promise<AnalysisTarget | undefined> => {
    let target: AnalysisTarget | undefined
    const { post } = await createTestApp({
      services: {
        config: {
          chains,
          compat,
          engineVersion: '0',
          examples: [],
          guestChecks: 0,
          privateWebhooks: false,
          publicOrigins: [],
          trustProxy: [],
        },
        simulation: async (given) => {
          target = given
          return sampleChecks
        },
      },
    })
    const response = await post(body)
    expect(response.statusCode, response.body).toBe(200)
    return target
  }

  test.each([
    ['lower case', TOKEN],
    ['upper case', `0x${TOKEN.slice(2).toUpperCase()}`],
    ['16: mixed case with the right checksum', '0x514910771AF9Ca656af840dff83E8264EcF986CA'],
    ['17: the zero address', `0x${'0'.repeat(40)}`],
    ['17: a precompile', `0x${'1'.padStart(40, '0')}`],
  ])('an address in %s', async (_name, targetContractAddress) => {
    expect((await targetOf(request({ targetContractAddress })))?.address).toBe(targetContractAddress.toLowerCase())
  })

  test.each(chains.map(({ id }) => id))('chain %d', async (chainId) => {
    expect((await targetOf(request({ chainId })))?.chain.id).toBe(chainId)
  })

  test.each(['1.0', '1e0', '100e-2'])('18: %s is chain 1', async (chainId) => {
    const { post } = await createTestApp()
    expect((await post(`{"targetContractAddress":"${TOKEN}","chainId":${chainId}}`)).statusCode).toBe(200)
  })

  test('19: of a repeated field the last one counts', async () => {
    let chainId = 0
    const simulation = async ({ chain }: AnalysisTarget) => {
      chainId = chain.id
      return sampleChecks
    }
    const { post } = await createTestApp({ services: { simulation } })
    await post(`{"targetContractAddress":"${TOKEN}","chainId":1,"chainId":56}`)
    expect(chainId).toBe(56)
  })

  test('20, 21: fields that mean nothing are ignored, and no prototype is changed', async () => {
    const body = `{"targetContractAddress":"${TOKEN}","chainId":1,"rpcUrl":"http://169.254.169.254","from":"0x1","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}`
    const { post } = await createTestApp()
    expect((await post(body)).statusCode).toBe(200)
    expect('polluted' in {}).toBe(false)
  })

  test('additive options', async () => {
    const { blockNumber, pair, amount } = (await targetOf(
      request({ blockNumber: 21_000_000, pair: TOKEN, amount: '10000000000000000' }),
    )) as AnalysisTarget
    expect({ blockNumber, pair, amount }).toEqual({ blockNumber: 21_000_000n, pair: TOKEN, amount: 10n ** 16n })
  })

  test('options that are null are not there', async () => {
    const target = await targetOf(request({ blockNumber: null, pair: null, amount: null }))
    expect(Object.keys(target ?? {}).toSorted()).toEqual(['address', 'caller', 'chain', 'onProgress', 'signal'])
  })

  test.each(['contractAddress', 'tokenAddress'])('with ASSAY_COMPAT=1 the alias %s', async (alias) => {
    expect((await targetOf({ [alias]: TOKEN, chainId: 1 }, { compat: true }))?.address).toBe(TOKEN)
  })

  test('with ASSAY_COMPAT=1 the specified field comes first, and what clients send besides is ignored', async () => {
    const body = {
      ...request(),
      contractAddress: '0x1',
      tokenAddress: 7,
      amount: '1',
      userAddress: 'me',
      recepientAddress: null,
    }
    const target = await targetOf(body, { compat: true })
    expect(target?.address).toBe(TOKEN)
    expect(target?.amount).toBeUndefined()
  })
})

test('24: a content type with the charset of JSON is the same content type', async () => {
  const { post } = await createTestApp()
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json;']) {
    expect((await post(JSON.stringify(request()), { headers: { 'content-type': type } })).statusCode, type).toBe(200)
  }
})
