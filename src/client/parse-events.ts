/** One event of a stream (server-sent events). */
export interface ServerEvent {
  name: string
  /** Its place: what `after` takes. Absent where the stream has none to come back to. */
  id: string | undefined
  /** As the route documents it, JSON. */
  data: unknown
}

/** Of one event: a whole report is some megabytes, and a stream without an end of lines is none. */
const MAX_EVENT_CHARS = 32_000_000

/** The events of an answer, as they come. Rejects where one is no JSON or has no end. */
export async function* readEvents({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      if (text.length > MAX_EVENT_CHARS) throw new RangeError('An event is too long')
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    // Whether the other side hears of it does not matter here.
    await reader.cancel().catch(() => {})
  }
}

/** Comments say that the connection stands, and are no events. */
function parseEvent(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    const before = fields.get(name)
    fields.set(name, name === 'data' && before !== undefined ? `${before}\n${value}` : value)
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { name: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) }
}
