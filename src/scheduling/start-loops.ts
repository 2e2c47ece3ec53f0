/** Something to do again and again, with a pause between; `true` is for more at once. */
export type Turn = readonly [turn: () => Promise<unknown>, pauseMs: number]

/** Does these side by side until the signal fires; resolves when all have ended. */
export async function startLoops(
  { signal, onFailure }: { signal: AbortSignal; onFailure(error: unknown): void },
  turns: readonly Turn[],
): Promise<void> {
  await Promise.all(
    turns.map(async ([turn, pauseMs]) => {
      while (!signal.aborted) {
        const isBusy = await turn().catch((error: unknown) => {
          if (!signal.aborted) onFailure(error)
        })
        if (isBusy !== true) await pause(pauseMs, signal)
      }
    }),
  )
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
