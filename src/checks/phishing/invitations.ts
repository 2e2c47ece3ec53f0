import type { Leads } from './leads.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/**
 * Notes that the target's code itself takes by approvals or signatures, so that those who use it
 * leave it some. What a caller brings along says nothing of that, and what is the target's own
 * needs none.
 */
export function noteInvitation(stage: Stage, { selector }: EntryPoint, { pulls, permits }: Leads): void {
  const { target } = stage
  const isAsked = pulls.some(({ form, words, isBrought }) => !isBrought && words[form.from] !== BigInt(target))
  if (isAsked || permits.length > 0) stage.invitation ??= { selector }
}

/** What any address can have called takes what is approved, where the code asks for approvals. */
export function withInvitation({ invitation, isOwn }: Stage, finding: PhishingFinding): PhishingFinding {
  if (finding.id !== 'open-executor' || isOwn || invitation === undefined) return finding
  return { ...finding, id: 'exposed-approvals', check: 'allowance', invitedBy: invitation.selector }
}
