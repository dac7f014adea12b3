import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { later } from './clean-up.ts'
import { Inbox } from './inbox.ts'

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

/** A span as received. */
export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number }
  readonly events: readonly { readonly name: string }[]
  readonly attributes: Readonly<Record<string, unknown>>
  /** The attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>
}

export interface ReceivedPoint {
  readonly metric: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value: unknown
  readonly count: unknown
}

interface RawSpan extends Omit<ReceivedSpan, 'attributes' | 'resource'> {
  readonly attributes: readonly Attribute[]
}

interface RawPoint {
  readonly attributes: readonly Attribute[]
  readonly asDouble?: number
  readonly asInt?: number | string
  readonly count?: number | string
}

interface RawMetric {
  readonly name: string
  readonly sum?: { readonly dataPoints: readonly RawPoint[] }
  readonly gauge?: { readonly dataPoints: readonly RawPoint[] }
  readonly histogram?: { readonly dataPoints: readonly RawPoint[] }
}

interface Body {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[]
  }[]
}

/** A collector that accepts OTLP over HTTP as JSON and keeps everything. */
export class OtlpReceiver {
  readonly spans = new Inbox<ReceivedSpan>('the collector (spans)')
  readonly points = new Inbox<ReceivedPoint>('the collector (metrics)')
  /** All bytes received, including headers. */
  raw = ''
  /** `silent`: reads everything and never answers. */
  mood: 'well' | 'silent' | 'sick' = 'well'
  url = ''
  readonly #server: Server

  constructor() {
    this.#server = createServer((req, res) => this.#receive(req, res))
  }

  async open(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    later(() => this.close())
    return this
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** All spans of a trace; waits for the span of the call, which comes last. */
  async trace(match: (span: ReceivedSpan) => boolean): Promise<readonly ReceivedSpan[]> {
    const { traceId, spanId } = await this.spans.until(span => span.kind === SERVER && match(span))
    return this.spans.items.filter(
      span => span.traceId === traceId && (span.spanId === spanId || span.parentSpanId === spanId),
    )
  }

  #receive(req: IncomingMessage, res: ServerResponse): void {
    let text = ''
    req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    req.on('end', () => {
      this.raw += `${req.rawHeaders.join('\n')}\n${text}\n`
      if (this.mood === 'silent') return
      if (this.mood === 'sick') return void res.writeHead(400).end()
      this.#read(JSON.parse(text) as Body)
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }

  #read({ resourceSpans = [], resourceMetrics = [] }: Body): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.add({
          ...span,
          attributes: toRecord(span.attributes),
          resource: toRecord(resource.attributes),
        })
    for (const { scopeMetrics } of resourceMetrics)
      for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics))
        for (const point of pointsOf(metric))
          this.points.add({
            metric: metric.name,
            attributes: toRecord(point.attributes),
            value: point.asDouble ?? point.asInt,
            count: point.count,
          })
  }
}

const SERVER = 2

function pointsOf({ sum, gauge, histogram }: RawMetric): readonly RawPoint[] {
  return (sum ?? gauge ?? histogram)?.dataPoints ?? []
}

function toRecord(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

export async function openReceiver(): Promise<OtlpReceiver> {
  return new OtlpReceiver().open()
}
