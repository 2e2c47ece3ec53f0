import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * What the service itself had to say of what went wrong: each kind once, with how often and when it
 * came.
 */
export async function showComplaints(logPath: string): Promise<void> {
  const complaints = new Map<string, { count: number; first: string[] }>()
  for await (const line of createInterface({ input: createReadStream(logPath) })) {
    if (!/"level":"(error|warn|fatal)"/.test(line)) continue
    const { time, msg, check = '', error = {} }: LogLine = JSON.parse(line)
    const kind = `${msg} ${check} ${error.stack?.replaceAll(/\d+/g, '0') ?? ''}`.slice(0, COMPLAINT_LENGTH)
    const complaint = complaints.get(kind) ?? { count: 0, first: [] }
    if (complaint.count === 0 && complaints.size >= MAX_COMPLAINTS) continue
    complaint.count += 1
    if (complaint.count <= MAX_TIMES) complaint.first.push(time)
    complaints.set(kind, complaint)
  }
  for (const [kind, { count: times, first }] of complaints)
    process.stderr.write(`${times} times, first at ${first.join(', ')}: ${kind}\n`)
}

interface LogLine {
  time: string
  msg: string
  check?: string
  error?: { stack?: string }
}

const MAX_TIMES = 10
const MAX_COMPLAINTS = 50
const COMPLAINT_LENGTH = 1_500
