/** The parts of the answers that the command line reads. */
export interface SimulationAnswer {
  success: boolean
  errorReason?: string
  checks?: {
    simulateResult: {
      success: boolean
      errorReason: string
      isHoneypot: boolean
      isReentrancy: boolean
      buyTax: string | null
      sellTax: string | null
      gasUsed: string
      venue: { name: string; pool: string } | null
    }
    byteCodeResult: {
      isContract: boolean
      trustStatus: string
      humanWarning: string
      riskFlags: { threatLevel: string; title: string; description: string }[]
    }
    transactionHistoryResult: { success: boolean; activityPulse: string | null; message: string }
  }
}

export interface HoneypotAnswer {
  success: boolean
  errorReason?: string
  honeypotResponse?: {
    riskScore: number
    buyTax: number
    sellTax: number
    isHoneypot: boolean
    isTimeHoneypot: boolean
    inconclusive: string | null
    trustStatus: string
    humanWarning: string
    timeTravelResults: { label: string; buyTax: number; sellTax: number; riskScore: number; errorReason: string }[]
  }
}

export interface PhishingAnswer {
  success: boolean
  errorReason?: string
  verdict?: string
  riskScore?: number
  reason?: string | null
  findings?: { detail: string }[]
}
