/** What each cache may hold, in bytes. */
export interface CacheShares {
  /** State of the last blocks. */
  blocks: number
  /** Codes of contracts, in memory that all threads share. */
  codes: number
  /** What the analyses of a target read last time. */
  readSets: number
  /** What was read of targets, with the block that each was judged at. */
  judged: number
  /** Answers as they were sent. */
  answers: number
}

const MB = 1024 * 1024
/** One part in so many of the process: most of it is the code of threads and what runs in them. */
const PARTS: CacheShares = { codes: 8, blocks: 16, answers: 16, judged: 24, readSets: 32 }

/** Divides what the operator gives the process, in megabytes: a third of it is for caches. */
export function shareMemory(memoryMb: number): CacheShares {
  const part = (of: number) => Math.floor((memoryMb * MB) / of)
  return {
    blocks: part(PARTS.blocks),
    codes: part(PARTS.codes),
    readSets: part(PARTS.readSets),
    judged: part(PARTS.judged),
    answers: part(PARTS.answers),
  }
}
