import { Type } from 'typebox'

/**
 * What the stream consists of, for readers of the documentation: OpenAPI has no schema for events.
 */
export const EventStream = Type.String({
  description: `Server-sent events, each with one line of JSON as its data.
\`expected\`: \`{usualMs, slowMs, measured, mostMs}\`, the first: how long such a question usually takes here, waiting included. Half of the last ones that were \`measured\` took \`usualMs\`, nine in ten \`slowMs\`; both are null where too few were. None takes longer than \`mostMs\`.
\`progress\`: \`{step, success}\`, when a part of the work is over (\`block\`, \`simulate\`, \`bytecode\`, \`history\`).
\`report\`: \`{name, report}\`, the whole answer of an endpoint as soon as it is there (\`simulation\`, \`honeypot\`, \`phishing\`; on Solana \`solana\` alone).
\`failure\`: \`{name, success, errorReason, error, code}\`, when that answer is a failure.
\`end\`: \`{}\`, when nothing more comes.`,
})
