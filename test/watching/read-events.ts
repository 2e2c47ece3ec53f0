/** Reads server-sent events until it is closed. */
export function readEvents(url: string, key: string, lastEventId?: string) {
  const controller = new AbortController()
  const alerts: { id: string; kind: string }[] = []
  const places: string[] = []
  const reading = (async () => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    const response = await fetch(url, { headers, signal: controller.signal })
    let text = ''
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString('utf8')
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const field = (name: string) =>
          event
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        const data = field('data')
        if (data === undefined) continue
        alerts.push(JSON.parse(data))
        places.push(field('id') ?? '')
      }
    }
  })().catch((error: unknown) => {
    if (!controller.signal.aborted) throw error
  })
  return {
    alerts,
    places,
    async until(isEnough: (seen: typeof alerts) => boolean) {
      while (!isEnough(alerts)) await new Promise((resolve) => setTimeout(resolve, 50))
      return alerts
    },
    close() {
      controller.abort()
      return reading
    },
  }
}
