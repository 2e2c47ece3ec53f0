/** Languages that examples are given in. */
export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof LANGUAGES)[number]

/** USDT: everyone knows what the answer should be. */
const TOKEN = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** One request, ready to run. */
export function writeSnippet(name: Language, { apiKey, origin }: { apiKey: string; origin: string }): string {
  const url = `${origin}/api/simulate/execute-simulation`
  switch (name) {
    case 'curl':
      return `curl -s ${url} \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"targetContractAddress":"${TOKEN}","chainId":1}'`
    case 'TypeScript':
      return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${apiKey}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({ targetContractAddress: '${TOKEN}', chainId: 1 }),
})
const { success, checks, errorReason } = await response.json()
if (!success) throw new Error(errorReason)
console.log(checks.simulateResult.isHoneypot, checks.byteCodeResult.trustStatus)`
    case 'Python':
      return `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={
        "Authorization": "Bearer ${apiKey}",
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {"targetContractAddress": "${TOKEN}", "chainId": 1}
    ).encode(),
)
checks = json.load(urllib.request.urlopen(request))["checks"]
print(checks["simulateResult"]["isHoneypot"], checks["byteCodeResult"]["trustStatus"])`
  }
}
