import type { HistoryReport, TransferRecord } from '../../checks/history/history-report.js'
import type { FailedCheck } from '../../checks/settle.js'
import { checksumAddress } from '../../checksum-address.js'
import { toDecimal } from '../../decimal-text.js'
import { toIsoTime } from '../fields/block.js'
import type { SimulationReport } from './schema.js'

type HistoryResult = SimulationReport['checks']['transactionHistoryResult']

export function toHistoryResult(report: HistoryReport): HistoryResult {
  return {
    success: report.success,
    activityPulse: report.success ? (report.activityPulse ?? null) : null,
    message: report.message,
    recentTransfers: report.recentTransfers.slice(0, MAX_TRANSFERS).map((transfer) => toTransfer(transfer, report)),
    summary: toSummary(report),
  }
}

/** The first four are the names that existing clients read. */
function toSummary({ summary, decimals }: HistoryReport): HistoryResult['summary'] {
  const { day, week } = summary
  return {
    totalTransfers: week.transfers,
    uniqueWallets: summary.accounts,
    lastTransferDate: toOptionalTime(summary.lastTransfer),
    totalERC20Volume: toDecimal(summary.volume, decimals),
    firstMintDate: toOptionalTime(summary.firstMint),
    last24Hours: { ...day, buys: day.buys ?? null, sells: day.sells ?? null },
    last7Days: { ...week, buys: week.buys ?? null, sells: week.sells ?? null },
    hours: summary.hours.map((transfers) => transfers ?? null),
    makeBelieve: [...summary.makeBelieve],
  }
}

const toOptionalTime = (seconds: number | undefined) => (seconds === undefined ? null : toIsoTime(seconds * 1_000))

export function toFailedHistory({ errorReason }: FailedCheck): HistoryResult {
  return {
    success: false,
    activityPulse: null,
    message: `The history could not be read: ${errorReason}`,
    recentTransfers: [],
    summary: null,
  }
}

const MAX_TRANSFERS = 10

function toTransfer(transfer: TransferRecord, { symbol, decimals }: HistoryReport) {
  return {
    hash: transfer.hash,
    from: checksumAddress(transfer.from),
    to: checksumAddress(transfer.to),
    amount: toDecimal(transfer.value, decimals),
    symbol,
    date: toIsoTime(transfer.timestamp * 1_000),
    value: String(transfer.value),
    blockNumber: Number(transfer.blockNumber),
    logIndex: transfer.logIndex,
  }
}
