import type { Attributes, Span } from '@opentelemetry/api'
import { withDeadline } from '../scheduling/with-deadline.js'

/** Follows work through its parts, and tells a collector how long each took. */
export interface Tracing {
  /**
   * The same work, as a span of this name below whatever span it runs in. `describe` gives
   * attributes: numbers and names of ours, never text of callers.
   */
  observe<A extends unknown[], T>(
    name: string,
    run: (...args: A) => Promise<T>,
    describe?: (...args: A) => Attributes,
  ): (...args: A) => Promise<T>
  /** Sends what has not been sent. */
  close(): Promise<void>
}

export interface TracingOptions {
  /**
   * Base URL of an OTLP/HTTP collector; without one, nothing is followed, and no library is loaded.
   */
  endpoint: string | undefined
  version: string
  onFailure?(error: unknown): void
}

const SERVICE = 'assay'
/** Spans that wait to be sent; more are dropped. */
const MAX_WAITING_SPANS = 2_048
const SEND_TIMEOUT_MS = 5_000
/** How long the end of the process waits for the collector. */
const CLOSE_TIMEOUT_MS = 3_000

const NOT_FOLLOWED: Tracing = { observe: (_, run) => run, close: async () => {} }

/**
 * OpenTelemetry by OTLP over HTTP. A collector that does not answer costs spans and nothing else.
 */
export async function createTracing({ endpoint, version, onFailure = () => {} }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return NOT_FOLLOWED
  const [api, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace-base'),
  ])
  const contexts = new AsyncLocalStorageContextManager().enable()
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_TIMEOUT_MS })
  const provider = new sdk.BasicTracerProvider({
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { maxQueueSize: MAX_WAITING_SPANS })],
  })
  const tracer = provider.getTracer(SERVICE, version)

  async function follow<A extends unknown[], T>(span: Span, run: (...args: A) => Promise<T>, args: A): Promise<T> {
    try {
      return await run(...args)
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'failure' })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    observe: <A extends unknown[], T>(
      name: string,
      run: (...args: A) => Promise<T>,
      describe?: (...args: A) => Attributes,
    ) => {
      return (...args: A) => {
        const parent = contexts.active()
        const span = tracer.startSpan(name, { attributes: describe?.(...args) ?? {} }, parent)
        return contexts.with(api.trace.setSpan(parent, span), follow<A, T>, undefined, span, run, args)
      }
    },
    async close() {
      await withDeadline({ ms: CLOSE_TIMEOUT_MS }, () => provider.shutdown()).catch(onFailure)
      contexts.disable()
    },
  }
}
